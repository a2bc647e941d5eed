CREATE (e:Entity {id: $id, name: $name})
