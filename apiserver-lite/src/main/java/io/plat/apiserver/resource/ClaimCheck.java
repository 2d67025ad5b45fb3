package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What is wrong with claims of storage: in the words of existing servers. */
final class ClaimCheck {
    private static final String ALONE = "ReadWriteOncePod";
    private static final List<String> MODES = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ALONE);
    private static final String CLAIM = "PersistentVolumeClaim";

    private ClaimCheck() {}

    /** Checks what is claimed, where it stands at a path. */
    static void check(String path, JsonNode spec, Causes causes) {
        if (spec.path("accessModes").isEmpty()) {
            causes.required(path + ".accessModes", "at least 1 access mode is required");
        }
        checkModes(path, spec, causes);
        JsonNode amount = spec.path("resources").path("requests").path("storage");
        if (amount.isMissingNode()) {
            causes.required(path + ".resources[storage]", "");
        } else if (QualityOfService.amount(amount).signum() <= 0) {
            causes.invalid(path + ".resources[storage]", amount.asText(), "must be greater than zero");
        }
        SelectorCheck.check(path + ".selector", spec.path("selector"), causes);
        checkClass(path, spec, causes);
        sources(path, spec, causes);
    }

    /** Checks how storage is accessed, and from how many places. */
    static void checkModes(String path, JsonNode spec, Causes causes) {
        List<String> modes = MetadataRules.texts(spec.path("accessModes"));
        for (String mode : modes) {
            if (!MODES.contains(mode)) {
                causes.notSupported(path + ".accessModes", mode, MODES);
            }
        }
        if (modes.size() > 1 && modes.contains(ALONE)) {
            causes.forbidden(path + ".accessModes", "may not use " + ALONE + " with other access modes");
        }
    }

    /** Checks which kind of storage it is. */
    static void checkClass(String path, JsonNode spec, Causes causes) {
        String name = Json.text(spec, "storageClassName");
        if (!name.isEmpty()) {
            causes.name(path + ".storageClassName", name, NameRule.SUBDOMAIN);
        }
    }

    private static void sources(String path, JsonNode spec, Causes causes) {
        for (String field : List.of("dataSource", "dataSourceRef")) {
            if (spec.has(field)) {
                source(path + "." + field, spec.path(field), causes);
            }
        }
        if (!spec.has("dataSource") || !spec.has("dataSourceRef")) {
            return;
        }
        JsonNode source = spec.path("dataSource");
        JsonNode reference = spec.path("dataSourceRef");
        if (!Json.text(reference, "namespace").isEmpty()) {
            causes.invalid(
                    path, path + ".dataSource", "may not be specified when dataSourceRef.namespace is specified");
        } else if (List.of("apiGroup", "kind", "name").stream()
                .anyMatch(field -> !Json.text(source, field).equals(Json.text(reference, field)))) {
            causes.invalid(path, path + ".dataSource", "must match dataSourceRef");
        }
    }

    private static void source(String field, JsonNode source, Causes causes) {
        String group = Json.text(source, "apiGroup");
        String kind = Json.text(source, "kind");
        if (!group.isEmpty()) {
            causes.name(field + ".apiGroup", group, NameRule.SUBDOMAIN);
        } else if (!kind.equals(CLAIM)) {
            causes.invalid(field, kind, "must be '" + CLAIM + "' when referencing the default apiGroup");
        }
    }
}
