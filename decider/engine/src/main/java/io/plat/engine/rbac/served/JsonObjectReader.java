package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads one role object in JSON into a draft. */
final class JsonObjectReader {
    private final JsonParser json;
    private final ObjectDraft draft;
    private final JsonMembers members;
    private final JsonMembers metadata;
    private String apiVersion = TypeNames.API_VERSION;
    private String kind;

    private JsonObjectReader(JsonParser json, ObjectDraft draft) {
        this.json = json;
        this.draft = draft;
        this.members = new JsonMembers(json, draft::problem);
        this.metadata = new JsonMembers(json, draft::unreadableMetadata);
        this.kind = draft.kind.kind();
    }

    /**
     * Reads the object at the parser's position.
     *
     * @throws MalformedRolesException if its type is another; items of a list need not have a type
     */
    static void read(JsonParser json, ObjectDraft draft) throws IOException, MalformedRolesException {
        JsonObjectReader reader = new JsonObjectReader(json, draft);
        reader.metadata.object("object", reader::member);
        TypeNames.require(draft.kind.kind(), reader.apiVersion, reader.kind);
    }

    private void member(String name) throws IOException, MalformedRolesException {
        boolean isRole = draft.kind.isRole();
        switch (name) {
            case "apiVersion" -> apiVersion = members.text(name);
            case "kind" -> kind = members.text(name);
            case "metadata" -> metadata.object(name, this::metadata);
            case "rules" -> known(isRole, name, () -> members.list(name, this::rule));
            case "aggregationRule" -> known(draft.kind == RbacKind.CLUSTER_ROLE, name, this::aggregationRule);
            case "subjects" -> known(!isRole, name, () -> members.list(name, this::subject));
            case "roleRef" -> known(!isRole, name, this::roleRef);
            default -> members.unknown("object", name);
        }
    }

    private void known(boolean known, String name, JsonMembers.Element reading)
            throws IOException, MalformedRolesException {
        if (known) {
            reading.read();
        } else {
            members.unknown("object", name);
        }
    }

    private void metadata(String name) throws IOException, MalformedRolesException {
        switch (name) {
            case "name" -> draft.name(metadata.text("metadata.name"));
            case "namespace" -> draft.namespace(metadata.text("metadata.namespace"));
            case "resourceVersion" -> draft.version(metadata.text("metadata.resourceVersion"));
            case "labels" ->
                members.object("metadata.labels", label -> draft.label(label, members.text("metadata.labels")));
            default -> json.skipChildren();
        }
    }

    private void rule() throws IOException, MalformedRolesException {
        Map<String, List<String>> lists = new HashMap<>();
        members.object("rules", name -> {
            switch (name) {
                case "verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs" ->
                    lists.put(name, draft.strings.list(members.texts("rules." + name)));
                default -> members.unknown("rules", name);
            }
        });
        draft.rules.add(new RbacRule(
                lists.getOrDefault("verbs", List.of()),
                lists.getOrDefault("apiGroups", List.of()),
                lists.getOrDefault("resources", List.of()),
                lists.getOrDefault("resourceNames", List.of()),
                lists.getOrDefault("nonResourceURLs", List.of()),
                null));
    }

    private void aggregationRule() throws IOException, MalformedRolesException {
        if (json.currentToken() != JsonToken.VALUE_NULL) {
            draft.aggregation();
        }
        members.object("aggregationRule", name -> {
            if (name.equals("clusterRoleSelectors")) {
                members.list(name, this::selector);
            } else {
                members.unknown("aggregationRule", name);
            }
        });
    }

    private void selector() throws IOException, MalformedRolesException {
        Map<String, String> labels = new HashMap<>();
        List<LabelSelector.Requirement> requirements = new ArrayList<>();
        members.object("clusterRoleSelectors", name -> {
            switch (name) {
                case "matchLabels" -> members.object(name, label -> labels.put(label, members.text("matchLabels")));
                case "matchExpressions" -> members.list(name, () -> requirements.add(requirement()));
                default -> members.unknown("clusterRoleSelectors", name);
            }
        });
        draft.aggregation().add(new LabelSelector(labels, requirements));
    }

    private LabelSelector.Requirement requirement() throws IOException, MalformedRolesException {
        Map<String, String> texts = new HashMap<>();
        List<String> values = new ArrayList<>();
        members.object("matchExpressions", name -> {
            switch (name) {
                case "key", "operator" -> texts.put(name, members.text("matchExpressions." + name));
                case "values" -> values.addAll(members.texts("matchExpressions.values"));
                default -> members.unknown("matchExpressions", name);
            }
        });
        return new LabelSelector.Requirement(texts.getOrDefault("key", ""), texts.getOrDefault("operator", ""), values);
    }

    private void subject() throws IOException, MalformedRolesException {
        Map<String, String> texts = texts("subjects", List.of("kind", "apiGroup", "name", "namespace"));
        draft.subjects.add(new RbacSubject(
                texts.getOrDefault("kind", ""),
                texts.getOrDefault("apiGroup", ""),
                texts.getOrDefault("namespace", ""),
                texts.getOrDefault("name", "")));
    }

    private void roleRef() throws IOException, MalformedRolesException {
        Map<String, String> texts = texts("roleRef", List.of("apiGroup", "kind", "name"));
        draft.roleRef(
                texts.getOrDefault("apiGroup", ""), texts.getOrDefault("kind", ""), texts.getOrDefault("name", ""));
    }

    private Map<String, String> texts(String where, List<String> known) throws IOException, MalformedRolesException {
        Map<String, String> texts = new HashMap<>();
        members.object(where, name -> {
            if (known.contains(name)) {
                texts.put(name, draft.strings.string(members.text(where + "." + name)));
            } else {
                members.unknown(where, name);
            }
        });
        return texts;
    }
}
