package io.plat.apiserver.roles.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A role object as every server has it.
 *
 * @param kind its type
 * @param object what it holds at least; not to be changed
 */
record DefaultRoleObject(RbacKind kind, ObjectNode object) {
    private static final String FILE = "default-roles.json";

    /** All of them: roles before bindings, so that no binding is made to a role that is still to come. */
    static List<DefaultRoleObject> all() {
        List<DefaultRoleObject> roles = new ArrayList<>();
        List<DefaultRoleObject> bindings = new ArrayList<>();
        for (JsonNode object : read()) {
            RbacKind kind = RbacKind.of(object.path("kind").asText()).orElseThrow();
            (kind.isRole() ? roles : bindings).add(new DefaultRoleObject(kind, (ObjectNode) object));
        }
        roles.addAll(bindings);
        return roles;
    }

    private static JsonNode read() {
        try (InputStream in = Objects.requireNonNull(DefaultRoleObject.class.getResourceAsStream(FILE), FILE)) {
            return new ObjectMapper(JsonFactories.create()).readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE, e);
        }
    }

    String namespace() {
        return object.path("metadata").path("namespace").asText("");
    }

    String name() {
        return object.path("metadata").path("name").asText();
    }
}
