package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.List;

/** What is wrong with who says that it serves a group's version: in the words of existing servers. */
final class ApiServiceCheck {
    private static final int FIRST_OF_GROUPS = 20_000;
    private static final int FIRST_OF_VERSIONS = 1000;

    private ApiServiceCheck() {}

    /** Checks one. */
    static void check(JsonNode object, Causes causes) {
        JsonNode spec = object.path("spec");
        String group = Json.text(spec, "group");
        String version = Json.text(spec, "version");
        String name = Json.text(object.path("metadata"), "name");
        if (!name.equals(version + "." + group)) {
            causes.invalid(
                    "metadata.name",
                    name,
                    "must be `spec.version+\".\"+spec.group`: " + FieldWords.quoted(version + "." + group));
        }
        if (!group.isEmpty()) {
            causes.name("spec.group", group, NameRule.SUBDOMAIN);
        } else if (!version.equals("v1")) {
            causes.required("spec.group", "only v1 may have an empty group and it better be legacy kube");
        }
        causes.name("spec.version", version, NameRule.DNS_1035);
        rank("groupPriorityMinimum", spec, FIRST_OF_GROUPS, causes);
        rank("versionPriority", spec, FIRST_OF_VERSIONS, causes);
        service(spec, causes);
    }

    private static void rank(String field, JsonNode spec, int most, Causes causes) {
        long rank = spec.path(field).asLong();
        if (rank <= 0 || rank > most) {
            causes.invalidLiteral("spec." + field, Long.toString(rank), "must be positive and less than " + most);
        }
    }

    private static void service(JsonNode spec, Causes causes) {
        boolean bundled = !Json.text(spec, "caBundle").isEmpty();
        boolean trusted = spec.path("insecureSkipTLSVerify").asBoolean();
        JsonNode service = spec.path("service");
        if (!service.isObject()) {
            if (bundled) {
                causes.invalid("spec.caBundle", "", "local APIServices may not have a caBundle");
            }
            if (trusted) {
                causes.invalidLiteral(
                        "spec.insecureSkipTLSVerify", "true", "local APIServices may not have insecureSkipTLSVerify");
            }
            return;
        }
        for (String field : List.of("namespace", "name")) {
            if (Json.text(service, field).isEmpty()) {
                causes.required("spec.service." + field, "");
            }
        }
        if (bundled && trusted) {
            causes.invalidLiteral("spec.insecureSkipTLSVerify", "true", "may not be true if caBundle is present");
        }
    }
}
