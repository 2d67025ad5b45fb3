package io.plat.apiserver.rules;

import io.plat.cel.text.Quantity;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Validation of the requests and limits of a container, with the messages of kube-apiserver. */
final class ContainerResources {
    private static final Set<String> WITH_HUGE_PAGES = Set.of("cpu", "memory");

    private ContainerResources() {}

    static void check(Field resources) {
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
        boolean overcommitAllowed = ResourceNames.isOvercommitAllowed(name);
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
}
