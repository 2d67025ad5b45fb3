package io.plat.apiserver.resource;

import java.util.List;
import java.util.Set;

/** Validation of references to a resource of a container, with the messages of kube-apiserver. */
final class ResourceFields {
    private static final List<String> NAMES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");
    private static final Set<String> CPU_UNITS = Set.of("", "0", "1", "1m");
    private static final Set<String> UNITS =
            Set.of("", "0", "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

    private ResourceFields() {}

    /**
     * Checks a reference.
     *
     * @param named whether it has to say which container
     */
    static void check(Field reference, boolean named) {
        if (named) {
            reference.at("containerName").require("");
        }
        String resource = reference.text("resource");
        boolean huge = resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
        if (!huge) {
            reference.at("resource").oneOf(NAMES);
        }
        Field divisor = reference.at("divisor");
        if (resource.endsWith(".cpu")) {
            if (!CPU_UNITS.contains(divisor.text())) {
                divisor.invalid(resource, "only divisor's values 1m and 1 are supported with the cpu resource");
            }
        } else if (!UNITS.contains(divisor.text()) && (huge || NAMES.contains(resource))) {
            divisor.invalid(
                    resource,
                    "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with"
                            + " the "
                            + (huge ? "hugepages" : resource.endsWith("memory") ? "memory" : "local ephemeral storage")
                            + " resource");
        }
    }
}
