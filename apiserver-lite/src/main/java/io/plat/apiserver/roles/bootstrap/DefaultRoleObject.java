package io.plat.apiserver.roles.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.rbac.RbacKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Default role object of every server.
 *
 * @param kind type of the object
 * @param object minimum contents; not to be modified
 */
record DefaultRoleObject(RbacKind kind, ObjectNode object) {
    private static final String FILE = "default-roles.json";

    /** Returns all of them: roles before bindings, so that no binding precedes its role. */
    static List<DefaultRoleObject> all() {
        List<DefaultRoleObject> roles = new ArrayList<>();
        List<DefaultRoleObject> bindings = new ArrayList<>();
        for (JsonNode object : ProgramData.json(DefaultRoleObject.class, FILE)) {
            RbacKind kind = RbacKind.of(object.path("kind").asText()).orElseThrow();
            (kind.isRole() ? roles : bindings).add(new DefaultRoleObject(kind, (ObjectNode) object));
        }
        roles.addAll(bindings);
        return roles;
    }

    String namespace() {
        return object.path("metadata").path("namespace").asText("");
    }

    String name() {
        return object.path("metadata").path("name").asText();
    }
}
