package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** What is wrong with which resource of a container a variable or a file has the amount of: in the words of existing servers. */
final class ResourceFields {
    private static final List<String> NAMES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    private static final Set<String> UNITS =
            Set.of("", "0", "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

    private ResourceFields() {}

    /**
     * Checks a reference.
     *
     * @param named whether it has to say which container
     */
    static void check(String field, JsonNode reference, boolean named, Causes causes) {
        if (named && Json.text(reference, "containerName").isEmpty()) {
            causes.required(field + ".containerName", "");
        }
        String resource = Json.text(reference, "resource");
        boolean huge = resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
        if (!resource.isEmpty() && !huge && !NAMES.contains(resource)) {
            causes.notSupported(field + ".resource", resource, NAMES);
        }
        String divisor = reference.path("divisor").asText("");
        if (resource.endsWith(".cpu")) {
            if (!divisor.equals("1m") && !divisor.equals("1") && !divisor.equals("0") && !divisor.isEmpty()) {
                causes.invalid(
                        field + ".divisor",
                        resource,
                        "only divisor's values 1m and 1 are supported with the cpu resource");
            }
        } else if (!UNITS.contains(divisor) && (huge || NAMES.contains(resource))) {
            causes.invalid(
                    field + ".divisor",
                    resource,
                    "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "
                            + (huge ? "hugepages" : resource.endsWith("memory") ? "memory" : "local ephemeral storage")
                            + " resource");
        }
    }
}
