package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A service's own addresses as fields: what of them stays, and what may not be asked for. */
final class ServiceAddresses {
    static final String ONE = "clusterIP";
    static final String ALL = "clusterIPs";
    static final String FAMILIES = "ipFamilies";
    static final String POLICY = "ipFamilyPolicy";
    static final String HEADLESS = "None";
    private static final String EXTERNAL_NAME = "ExternalName";
    private static final List<String> FIELDS = List.of(ONE, ALL, FAMILIES, POLICY);

    private ServiceAddresses() {}

    /** Whether a service has addresses of its own, or says that it has none. */
    static boolean has(JsonNode spec) {
        return !Json.text(spec, "type").equals(EXTERNAL_NAME);
    }

    /** Whether a service says that it has no address. */
    static boolean headless(JsonNode spec) {
        return Json.text(spec, ONE).equals(HEADLESS);
    }

    /** Has the one address and the list of them agree, and keeps what was given before. */
    static void prepare(ObjectNode spec, @Nullable JsonNode before) {
        follow(spec, before);
        if (before == null) {
            return;
        }
        if (has(before) && has(spec)) {
            if (Json.text(spec, ONE).isEmpty() && spec.path(ALL).isEmpty()) {
                keep(List.of(ONE, ALL), spec, before);
            }
            keep(List.of(POLICY), spec, before);
        } else if (has(before)) {
            drop(FIELDS, spec, before);
        }
    }

    /** Who changes the one address alone means the list too. */
    private static void follow(ObjectNode spec, @Nullable JsonNode before) {
        String one = Json.text(spec, ONE);
        boolean alone = before != null
                && !one.equals(Json.text(before, ONE))
                && spec.path(ALL).equals(before.path(ALL));
        if (one.isEmpty() && alone) {
            spec.remove(ALL);
        } else if (!one.isEmpty() && (alone || spec.path(ALL).isEmpty())) {
            spec.putArray(ALL).add(one);
        }
    }

    /** Has fields that are not said be what they were. */
    static void keep(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (!spec.has(field) && before.has(field)) {
                spec.set(field, before.path(field).deepCopy());
            }
        }
    }

    /** Takes fields away that mean nothing any more; one that is said anew stays, and is refused. */
    static void drop(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (spec.path(field).equals(before.path(field))) {
                spec.remove(field);
            }
        }
    }
}
