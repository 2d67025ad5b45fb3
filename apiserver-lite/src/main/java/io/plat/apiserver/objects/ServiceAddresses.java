package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cluster IP fields of a service: which are kept on update, and which values are invalid. */
final class ServiceAddresses {
    static final String ONE = "clusterIP";
    static final String ALL = "clusterIPs";
    static final String FAMILIES = "ipFamilies";
    static final String POLICY = "ipFamilyPolicy";
    static final String HEADLESS = "None";
    private static final String EXTERNAL_NAME = "ExternalName";
    private static final List<String> FIELDS = List.of(ONE, ALL, FAMILIES, POLICY);

    private ServiceAddresses() {}

    /** Returns whether a service has cluster IPs, or is headless. */
    static boolean has(JsonNode spec) {
        return !Json.text(spec, "type").equals(EXTERNAL_NAME);
    }

    static boolean headless(JsonNode spec) {
        return Json.text(spec, ONE).equals(HEADLESS);
    }

    /** Synchronizes {@code clusterIP} and {@code clusterIPs}, and keeps previous values. */
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

    /** Applies a change of {@code clusterIP} to {@code clusterIPs}. */
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

    /** Restores omitted fields from the previous state. */
    static void keep(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (!spec.has(field) && before.has(field)) {
                spec.set(field, before.path(field).deepCopy());
            }
        }
    }

    /** Removes fields that no longer apply; a field that the request sets remains, and is rejected. */
    static void drop(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (spec.path(field).equals(before.path(field))) {
                spec.remove(field);
            }
        }
    }
}
