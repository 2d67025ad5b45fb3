package io.plat.apiserver.rules;

import io.plat.cel.text.Quantity;
import io.plat.review.NameRule;
import java.math.BigDecimal;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Names and amounts of resources that can be requested, limited and counted, such as {@code cpu} or {@code example.com/gpu}. */
final class ResourceNames {
    private static final Set<String> STANDARD_CONTAINER_RESOURCES = Set.of("cpu", "ephemeral-storage", "memory");

    private static final Set<String> INTEGER_RESOURCES = Set.of(
            "configmaps",
            "persistentvolumeclaims",
            "pods",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "services",
            "services.loadbalancers",
            "services.nodeports");

    private static final Set<String> STANDARD_QUOTA_RESOURCES = Set.of(
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

    private static final Set<String> WITH_HUGE_PAGES = Set.of("cpu", "memory");

    private ResourceNames() {}

    /** Checks the requests and limits of a container, with the messages of kube-apiserver. */
    static void checkContainer(Field resources) {
        resources.at("limits").entries().forEach(ResourceNames::checkContainerResource);
        resources.at("requests").entries().forEach(ResourceNames::checkContainerResource);
        for (Field requested : resources.at("requests").entries()) {
            checkRequested(resources, requested);
        }
        if (!names(resources, WITH_HUGE_PAGES::contains) && names(resources, ResourceNames::isHugePage)) {
            resources.forbidden("HugePages require cpu or memory");
        }
    }

    private static void checkRequested(Field resources, Field requested) {
        String name = requested.path().name();
        boolean overcommitAllowed = isOvercommitAllowed(name);
        Field limit = resources.at("limits").key(name);
        if (limit.isMissing()) {
            if (!overcommitAllowed) {
                resources.at("limits").required("Limit must be set for non overcommitable resources");
            }
            return;
        }
        int order = Quantity.of(requested.value().asText(""))
                .compareTo(Quantity.of(limit.value().asText("")));
        if (order > 0 || (order < 0 && !overcommitAllowed)) {
            resources
                    .at("requests")
                    .invalid(
                            requested.text(),
                            "must be " + (overcommitAllowed ? "less than or equal to " : "equal to ") + name
                                    + " limit of " + limit.text());
        }
    }

    private static boolean names(Field resources, Predicate<String> predicate) {
        return Stream.of("limits", "requests")
                .flatMap(kind -> resources.value().path(kind).properties().stream())
                .anyMatch(amount -> predicate.test(amount.getKey()));
    }

    private static void checkContainerResource(Field amount) {
        checkName(amount, true);
        checkAmount(amount);
    }

    /** Checks the name of a resource, which may be a container resource. */
    static void checkName(Field amount, boolean ofContainer) {
        check(amount);
        String name = amount.path().name();
        if (!ofContainer) {
            return;
        }
        if (name.indexOf('/') < 0 && !STANDARD_CONTAINER_RESOURCES.contains(name) && !isHugePage(name)) {
            amount.invalid(name, "must be a standard resource for containers");
        } else if (!isNative(name) && !isExtended(name)) {
            amount.invalid(name, "doesn't follow extended resource name standard");
        }
    }

    static void checkQuotaResource(Field amount) {
        check(amount);
        String name = amount.path().name();
        if (name.indexOf('/') < 0 && !isStandardQuotaResource(name)) {
            amount.invalid(name, "must be a standard resource for quota");
        }
        checkAmount(amount);
    }

    static boolean isStandardQuotaResource(String name) {
        return STANDARD_QUOTA_RESOURCES.contains(name) || INTEGER_RESOURCES.contains(name) || isHugePage(name);
    }

    private static void check(Field amount) {
        String name = amount.path().name();
        amount.qualifiedName(name);
        boolean known = isStandardQuotaResource(name) || name.equals("storage");
        if (name.indexOf('/') < 0 && !known && NameRule.qualifiedName(name).isEmpty()) {
            amount.invalid(name, "must be a standard resource type or fully qualified");
        }
    }

    private static void checkAmount(Field amount) {
        String name = amount.path().name();
        BigDecimal number = Quantity.of(amount.value().asText(""));
        if (number.signum() < 0) {
            amount.invalid("must be greater than or equal to 0");
        }
        if ((INTEGER_RESOURCES.contains(name) || isExtended(name))
                && number.stripTrailingZeros().scale() > 0) {
            amount.invalid("must be an integer");
        }
    }

    /** Returns whether a resource can be requested without a limit, or below its limit. */
    private static boolean isOvercommitAllowed(String name) {
        return isNative(name) && !isHugePage(name);
    }

    static boolean isHugePage(String name) {
        return name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    private static boolean isNative(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    private static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && NameRule.qualifiedName("requests." + name).isEmpty();
    }
}
