package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Set;

/** Names of what can be asked for, limited and counted, such as {@code cpu} or {@code example.com/gpu}, and what amounts of them can be. */
final class ResourceNames {
    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "ephemeral-storage", "memory");

    /** Those of which there are whole ones. */
    private static final Set<String> COUNTED = Set.of(
            "configmaps",
            "persistentvolumeclaims",
            "pods",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "services",
            "services.loadbalancers",
            "services.nodeports");

    private static final Set<String> OF_QUOTAS = Set.of(
            "cpu",
            "ephemeral-storage",
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory",
            "requests.storage");

    private ResourceNames() {}

    /** Checks the name and the amount of what a container asks for, or may have. */
    static void checkOfContainer(String field, String name, JsonNode amount, Causes causes) {
        checkName(field, name, true, causes);
        checkAmount(field, name, amount, causes);
    }

    /** Checks a name, which may be one of those that containers ask for. */
    static void checkName(String field, String name, boolean ofContainer, Causes causes) {
        check(field, name, causes);
        if (!ofContainer) {
            return;
        }
        if (name.indexOf('/') < 0 && !OF_CONTAINERS.contains(name) && !huge(name)) {
            causes.invalid(field, name, "must be a standard resource for containers");
        } else if (!own(name) && !extended(name)) {
            causes.invalid(field, name, "doesn't follow extended resource name standard");
        }
    }

    /** Checks the name and the amount of what a namespace may have. */
    static void checkOfQuota(String field, String name, JsonNode amount, Causes causes) {
        check(field, name, causes);
        if (name.indexOf('/') < 0 && !ofQuota(name)) {
            causes.invalid(field, name, "must be a standard resource for quota");
        }
        checkAmount(field, name, amount, causes);
    }

    /** Whether a quota of the field's own kinds can be about it. */
    static boolean ofQuota(String name) {
        return OF_QUOTAS.contains(name) || COUNTED.contains(name) || huge(name);
    }

    private static void check(String field, String name, Causes causes) {
        causes.qualifiedName(field, name);
        boolean known = ofQuota(name) || name.equals("storage");
        if (name.indexOf('/') < 0 && !known && NameRule.qualifiedName(name).isEmpty()) {
            causes.invalid(field, name, "must be a standard resource type or fully qualified");
        }
    }

    private static void checkAmount(String field, String name, JsonNode amount, Causes causes) {
        BigDecimal number = QualityOfService.amount(amount);
        if (number.signum() < 0) {
            causes.invalid(field, amount.asText(), "must be greater than or equal to 0");
        }
        if ((COUNTED.contains(name) || extended(name))
                && number.stripTrailingZeros().scale() > 0) {
            causes.invalid(field, amount.asText(), "must be an integer");
        }
    }

    /** Whether it may be asked for without a limit, or with a higher one. */
    static boolean overcommitted(String name) {
        return own(name) && !huge(name);
    }

    /** Whether it is pages of memory of a size. */
    static boolean huge(String name) {
        return name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    private static boolean own(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    private static boolean extended(String name) {
        return !own(name)
                && !name.startsWith("requests.")
                && NameRule.qualifiedName("requests." + name).isEmpty();
    }
}
