package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.Scales;
import io.plat.apiserver.resource.TypeForm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cells of an object's row in a table, in the order of its type's columns: numbers and texts, as existing servers fill them
 * in.
 */
@FunctionalInterface
interface Cells {
    /** What stands for nothing. */
    String NONE = "<none>";

    /**
     * An object's cells.
     *
     * @param object the object as it is shown, of which everything may be missing
     * @param now what ages are counted to
     */
    List<Object> of(JsonNode object, Instant now);

    /** The cells of a type. One that nothing is known of shows what every object has, and blanks. */
    static Cells of(ResourceType type) {
        if (type.form() != null) {
            TypeForm form = type.form();
            return (object, now) -> form.cells(object)
                    .map(cells -> aged(cells, now))
                    .orElseGet(() -> DescribedCells.of(type, object, now));
        }
        if (type.equals(Scales.TYPE)) {
            return (object, now) -> List.of(
                    name(object),
                    object.at("/spec/replicas").asInt(),
                    object.at("/status/replicas").asInt(),
                    age(object, now));
        }
        return switch (type.storage()) {
            case "pods" -> PodCells::of;
            case "services" -> ServiceCells::of;
            case "events" -> EventCells::of;
            case "namespaces" ->
                (object, now) -> List.of(name(object), text(object.at("/status/phase")), age(object, now));
            case "configmaps" ->
                (object, now) -> List.of(
                        name(object),
                        object.path("data").size() + object.path("binaryData").size(),
                        age(object, now));
            case "secrets" ->
                (object, now) -> List.of(
                        name(object),
                        text(object.path("type")),
                        object.path("data").size(),
                        age(object, now));
            case "roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io" ->
                (object, now) -> List.of(name(object), text(object.at("/metadata/creationTimestamp")));
            case "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io" ->
                Cells::binding;
            case "leases.coordination.k8s.io" ->
                (object, now) -> List.of(name(object), text(object.at("/spec/holderIdentity")), age(object, now));
            default -> (object, now) -> DescribedCells.of(type, object, now);
        };
    }

    /** Times as ages. */
    private static List<Object> aged(List<Object> cells, Instant now) {
        List<Object> shown = new ArrayList<>(cells.size());
        for (Object cell : cells) {
            shown.add(cell instanceof Instant time ? Ages.of(Duration.between(time, now)) : cell);
        }
        return shown;
    }

    /** The object's name. */
    static String name(JsonNode object) {
        return text(object.at("/metadata/name"));
    }

    /** How long there has been this object. */
    static String age(JsonNode object, Instant now) {
        return Ages.since(text(object.at("/metadata/creationTimestamp")), now);
    }

    /** The text of a scalar, {@code ""} where there is none. */
    static String text(JsonNode node) {
        return node.asText("");
    }

    /** A text, or the word for none. */
    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    /** Labels as one text, in the order of their names. */
    static String labels(JsonNode map) {
        Map<String, String> sorted = new TreeMap<>();
        map.properties()
                .forEach(label -> sorted.put(label.getKey(), label.getValue().asText("")));
        List<String> pairs = new ArrayList<>();
        sorted.forEach((name, value) -> pairs.add(name + "=" + value));
        return orNone(String.join(",", pairs));
    }

    private static List<Object> binding(JsonNode object, Instant now) {
        List<String> users = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        for (JsonNode subject : object.path("subjects")) {
            String name = text(subject.path("name"));
            switch (text(subject.path("kind"))) {
                case "User" -> users.add(name);
                case "Group" -> groups.add(name);
                case "ServiceAccount" -> accounts.add(text(subject.path("namespace")) + "/" + name);
                default -> {}
            }
        }
        String role = text(object.at("/roleRef/kind")) + "/" + text(object.at("/roleRef/name"));
        return List.of(
                name(object),
                role,
                age(object, now),
                String.join(", ", users),
                String.join(", ", groups),
                String.join(", ", accounts));
    }
}
