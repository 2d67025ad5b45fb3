package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

    static void check(JsonNode spec, @Nullable JsonNode before, Causes causes) {
        String type = Json.text(spec, "type");
        if (!has(spec)) {
            for (String field : List.of(ALL, FAMILIES, POLICY)) {
                if (!spec.path(field).isEmpty() || !Json.text(spec, field).isEmpty()) {
                    causes.forbidden("spec." + field, "may not be set for ExternalName services");
                }
            }
            return;
        }
        JsonNode all = spec.path(ALL);
        if (!all.isEmpty() && !all.path(0).asText().equals(Json.text(spec, ONE))) {
            causes.invalidLiteral("spec." + ALL, all.toString(), "first value must match `clusterIP`");
        }
        for (int i = 0; i < all.size(); i++) {
            checkAddress("spec." + ALL + "[" + i + "]", all.path(i).asText(), all.size(), causes);
        }
        if (headless(spec) && ServicePorts.outside(spec)) {
            causes.invalid("spec." + ALL + "[0]", HEADLESS, "may not be set to 'None' for " + type + " services");
        }
        if (before != null && has(before)) {
            checkSame(ALL, spec, before, causes);
            checkSame(FAMILIES, spec, before, causes);
        }
    }

    private static void checkAddress(String field, String address, int of, Causes causes) {
        if (address.equals(HEADLESS)) {
            if (of > 1) {
                causes.invalid(field, address, "'None' must be the first and only value");
            }
        } else {
            IpLiterals.check(field, address, causes);
        }
    }

    /** The first of a list never changes. */
    private static void checkSame(String field, JsonNode spec, JsonNode before, Causes causes) {
        JsonNode first = before.path(field).path(0);
        if (!first.isMissingNode()
                && !spec.path(field).isEmpty()
                && !spec.path(field).path(0).equals(first)) {
            causes.invalidLiteral("spec." + field + "[0]", spec.path(field).toString(), "may not change once set");
        }
    }
}
