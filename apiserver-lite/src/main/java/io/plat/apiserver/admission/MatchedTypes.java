package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.expression.TypeChecker;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The types that a policy names, without wildcards and subresources: those against which its expressions can be checked. */
final class MatchedTypes {
    private static final int MOST = 10;

    private MatchedTypes() {}

    /** Returns a checker of a policy's expressions. */
    static TypeChecker of(JsonNode spec, ServedVersions versions) {
        Map<String, TypeSchema> types = new TreeMap<>();
        for (JsonNode rule : spec.path("matchConstraints").path("resourceRules")) {
            for (String group : plain(rule.path("apiGroups"))) {
                for (String version : plain(rule.path("apiVersions"))) {
                    List<String> resources = plain(rule.path("resources"));
                    versions.of(group, version)
                            .filter(type -> resources.contains(type.resource()) && types.size() < MOST)
                            .forEach(type -> types.put(name(type), schema(type)));
                }
            }
        }
        JsonNode kind = spec.path("paramKind");
        @Nullable
        TypeSchema params = versions.ofKind(
                        kind.path("apiVersion").asText(""), kind.path("kind").asText(""))
                .map(MatchedTypes::schema)
                .orElse(null);
        return new TypeChecker(spec, types, params);
    }

    private static List<String> plain(JsonNode list) {
        var texts = new ArrayList<String>();
        for (JsonNode text : list) {
            if (text.asText().indexOf('*') < 0 && text.asText().indexOf('/') < 0) {
                texts.add(text.asText());
            }
        }
        return texts;
    }

    private static TypeSchema schema(ResourceType type) {
        return type.form() != null && type.form().shapes() ? type.form().structure() : type.schema();
    }

    private static String name(ResourceType type) {
        return type.apiVersion() + ", Kind=" + type.kind();
    }
}
