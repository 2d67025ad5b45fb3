package io.plat.apiserver.resource;

import java.util.List;
import java.util.stream.Stream;

/** Validation of PersistentVolumeClaim objects, with the messages of kube-apiserver. */
final class ClaimCheck {
    private static final String ALONE = "ReadWriteOncePod";
    private static final List<String> MODES = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ALONE);
    private static final String CLAIM = "PersistentVolumeClaim";

    private ClaimCheck() {}

    static void check(Field spec) {
        spec.at("accessModes").require("at least 1 access mode is required");
        checkModes(spec.at("accessModes"));
        Field amount = spec.at("resources")
                .key("storage", spec.value().path("resources").path("requests").path("storage"));
        if (amount.isMissing()) {
            amount.required("");
        } else {
            positive(amount);
        }
        SelectorCheck.check(spec.at("selector"));
        spec.at("storageClassName").optionalName(NameRule.SUBDOMAIN);
        sources(spec);
    }

    /** Checks a quantity, which is there. */
    static void positive(Field amount) {
        if (QualityOfService.amount(amount.value()).signum() <= 0) {
            amount.invalid("must be greater than zero");
        }
    }

    /** Checks how storage is accessed, and from how many places. */
    static void checkModes(Field modes) {
        for (String mode : modes.texts()) {
            if (!MODES.contains(mode)) {
                modes.notSupported(mode, MODES);
            }
        }
        if (modes.value().size() > 1 && modes.texts().contains(ALONE)) {
            modes.forbidden("may not use " + ALONE + " with other access modes");
        }
    }

    private static void sources(Field spec) {
        Field source = spec.at("dataSource");
        Field reference = spec.at("dataSourceRef");
        for (Field one : List.of(source, reference)) {
            if (!one.isMissing()) {
                source(one);
            }
        }
        if (source.isMissing() || reference.isMissing()) {
            return;
        }
        if (!reference.at("namespace").isEmpty()) {
            spec.invalid(source.path().toString(), "may not be specified when dataSourceRef.namespace is specified");
        } else if (Stream.of("apiGroup", "kind", "name")
                .anyMatch(field -> !source.text(field).equals(reference.text(field)))) {
            spec.invalid(source.path().toString(), "must match dataSourceRef");
        }
    }

    private static void source(Field source) {
        if (!source.at("apiGroup").isEmpty()) {
            source.at("apiGroup").name(NameRule.SUBDOMAIN);
        } else if (!source.at("kind").is(CLAIM)) {
            source.invalid(source.text("kind"), "must be '" + CLAIM + "' when referencing the default apiGroup");
        }
    }
}
