package io.plat.tests.apiserver.escalation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** One case on one server: sets up the user's permissions, then writes the object by each method. */
final class Attempts {
    private static final String NOT_HELD = " is attempting to grant RBAC permissions not currently held:\n";
    private static final String AGGREGATION = "must have cluster-admin privileges to use the aggregationRule: ";
    private static final RoleTexts FIELD = RoleTexts.ofKubernetes();

    private final EscalationServer server;
    private final EscalationCase tried;

    Attempts(EscalationServer server, EscalationCase tried) {
        this.server = server;
        this.tried = tried;
    }

    void setUp() {
        String namespace = tried.namespace();
        server.makeNamespace(namespace);
        hold("clusterrole", "clusterrolebinding", "", tried.everywhere());
        hold("clusterrole", "rolebinding", namespace, tried.there());
        hold("clusterrole", "rolebinding", "default", tried.elsewhere());
        if (tried.dangling()) {
            bind("clusterrolebinding", "", FIELD.roleRef("clusterrole", "nothing", ""));
        }
        if (tried.binds() && !tried.refers().equals("missing")) {
            ObjectNode role = FIELD.object(tried.refers(), tried.role());
            role.set("rules", FIELD.rules(tried.grants()));
            if (tried.aggregates()) {
                ObjectNode gathered = role.deepCopy();
                ((ObjectNode) gathered.path("metadata")).put("name", tried.role() + "-part");
                ((ObjectNode) gathered.at("/metadata/labels")).put("gathered-" + tried.number(), "true");
                server.make("clusterrole", "", gathered);
                role.remove("rules");
                role.set("aggregationRule", RoleTexts.aggregation("gathered-" + tried.number()));
            }
            server.make(tried.refers(), namespace, role);
        }
    }

    private void hold(String kind, String binding, String namespace, List<String> rules) {
        if (rules.isEmpty()) {
            return;
        }
        String name = "held-" + tried.number() + "-" + (namespace.isEmpty() ? "everywhere" : namespace);
        ObjectNode role = FIELD.object(kind, name);
        role.set("rules", FIELD.rules(rules.stream().map(this::named).toList()));
        server.make(kind, namespace, role);
        bind(binding, namespace, FIELD.roleRef(kind, name, namespace));
    }

    /** Returns a rule with the names of the case, which has a separate object for each method. */
    private String named(String rule) {
        String selves = tried.methods().stream().map(tried::self).collect(Collectors.joining(","));
        return rule.replace("$self", selves).replace("$role", tried.role());
    }

    private void bind(String kind, String namespace, ObjectNode roleRef) {
        ObjectNode binding = FIELD.object(kind, "held-" + tried.number());
        boolean group = !tried.ofGroup().isEmpty();
        binding.set("subjects", FIELD.subjects(group ? "Group" : "User", group ? tried.ofGroup() : tried.user()));
        binding.set("roleRef", roleRef);
        server.make(kind, namespace, binding);
    }

    void attempt(WriteMethod method, RoleTexts texts) {
        String self = tried.self(method);
        String collection = texts.path(tried.writes(), tried.namespace());
        String path = method.method().equals("POST") ? collection : collection + "/" + self;
        String before = prepare(method, self, collection);
        HttpResponse<String> answer =
                server.as(tried.token(), method.method(), path + query(method), type(method), body(method, texts));
        String what = tried.name() + ", " + method.word() + ", " + texts.group() + ": " + answer.body();
        boolean allowed = tried.expect().equals("allowed");
        int expected = !allowed ? (tried.expect().equals("refused") ? 403 : 404) : method.changes() ? 200 : 201;
        assertThat(answer.statusCode()).as(what).isEqualTo(expected);
        if (!allowed) {
            checkMessage(what, json(answer.body()).path("message").asText(), texts);
        }
        String after = state(self);
        if (allowed && !method.writesNothing()) {
            assertThat(after).as(what).isNotEqualTo(before);
        } else {
            assertThat(after).as("unchanged: " + what).isEqualTo(before);
        }
    }

    /** Creates the object if it must exist before; returns its state. */
    private String prepare(WriteMethod method, String self, String collection) {
        if (method == WriteMethod.RECREATE) {
            server.make(tried.writes(), tried.namespace(), whole(FIELD, self));
            HttpResponse<String> deleted = server.as(
                    tried.token(), "DELETE", collection + "?labelSelector=pick%3D" + self, "application/json", "");
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
        } else if (method.changes()) {
            ObjectNode empty = FIELD.object(tried.writes(), self);
            if (tried.binds()) {
                empty.set("roleRef", roleRef(FIELD));
            }
            server.make(tried.writes(), tried.namespace(), empty);
        }
        return state(self);
    }

    private String state(String self) {
        return server.admin("GET", FIELD.path(tried.writes(), tried.namespace()) + "/" + self, "")
                .body();
    }

    private ObjectNode roleRef(RoleTexts texts) {
        String kind = tried.refers().equals("missing") ? (tried.namespaced() ? "role" : "clusterrole") : tried.refers();
        return texts.roleRef(kind, tried.role(), tried.namespace());
    }

    private ObjectNode whole(RoleTexts texts, String self) {
        ObjectNode object = texts.object(tried.writes(), self);
        ObjectNode content = content(texts);
        content.remove("metadata");
        object.setAll(content);
        if (tried.binds()) {
            object.set("roleRef", roleRef(texts));
        } else if (tried.label()) {
            ((ObjectNode) object.at("/metadata/labels")).put("gathered", "true");
        }
        return object;
    }

    private ObjectNode content(RoleTexts texts) {
        ObjectNode content = RoleTexts.JSON.createObjectNode();
        if (tried.binds()) {
            content.set("subjects", texts.subjects("User", "somebody"));
            return content;
        }
        content.set("rules", texts.rules(tried.grants()));
        // So that writing no rules is a change too.
        content.putObject("metadata").putObject("annotations").put("written", "yes");
        if (tried.aggregates()) {
            content.set("aggregationRule", RoleTexts.aggregation("gathered-" + tried.number()));
        }
        return content;
    }

    private static String query(WriteMethod method) {
        return switch (method) {
            case DRY_RUN, PUT_DRY_RUN -> "?dryRun=All";
            case APPLY, APPLY_CREATE -> "?fieldManager=somebody&force=true";
            case CREATE, PUT_CREATE, PUT, JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, RECREATE -> "";
        };
    }

    private static String type(WriteMethod method) {
        return switch (method) {
            case JSON_PATCH -> "application/json-patch+json";
            case MERGE_PATCH -> "application/merge-patch+json";
            case STRATEGIC_PATCH -> "application/strategic-merge-patch+json";
            case APPLY, APPLY_CREATE -> "application/apply-patch+yaml";
            case CREATE, DRY_RUN, PUT_CREATE, PUT, PUT_DRY_RUN, RECREATE -> "application/json";
        };
    }

    private String body(WriteMethod method, RoleTexts texts) {
        return switch (method) {
            case JSON_PATCH -> operations(content(texts)).toString();
            case MERGE_PATCH, STRATEGIC_PATCH -> content(texts).toString();
            case CREATE, DRY_RUN, PUT_CREATE, PUT, PUT_DRY_RUN, RECREATE, APPLY, APPLY_CREATE ->
                whole(texts, tried.self(method)).toString();
        };
    }

    private static ArrayNode operations(ObjectNode content) {
        ArrayNode patch = RoleTexts.JSON.createArrayNode();
        content.properties().forEach(field -> {
            boolean metadata = field.getKey().equals("metadata");
            patch.addObject()
                    .put("op", "add")
                    .put("path", metadata ? "/metadata/annotations" : "/" + field.getKey())
                    .set("value", metadata ? field.getValue().path("annotations") : field.getValue());
        });
        return patch;
    }

    private void checkMessage(String what, String message, RoleTexts texts) {
        if (tried.expect().equals("notfound")) {
            assertThat(message)
                    .as(what)
                    .isEqualTo((tried.namespaced() ? "roles." : "clusterroles.") + texts.group() + " \"" + tried.role()
                            + "\" not found");
            return;
        }
        assertThat(message).as(what).startsWith(tried.writes() + "s." + texts.group() + " \"");
        assertThat(message).as(what).contains("is forbidden: ").contains("user \"" + tried.user() + "\" (groups=[");
        assertThat(message.contains(AGGREGATION)).as(what).isEqualTo(tried.aggregates() && !tried.binds());
        assertThat(message).as(what).contains(NOT_HELD);
        String lines = message.substring(message.indexOf(NOT_HELD) + NOT_HELD.length());
        assertThat(Arrays.asList(lines.split("\n", -1))).as(what).containsExactlyElementsOf(tried.names());
    }

    private static JsonNode json(String text) {
        try {
            return RoleTexts.JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
