package io.plat.cli.matrix;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;

/**
 * A column: a resource, or a non-resource path.
 *
 * @param label its printed form: {@code deployments.apps}, {@code pods/log}, {@code /metrics}
 * @param access the requested access, with any verb
 */
record Column(String label, AccessAttributes access) {
    static Column of(AccessAttributes access) {
        return new Column(
                switch (access) {
                    case NonResourceAttributes path -> path.path();
                    case ResourceAttributes resource -> label(resource);
                },
                access);
    }

    private static String label(ResourceAttributes resource) {
        return resource.resource()
                + (resource.group().isEmpty() ? "" : "." + resource.group())
                + (resource.subresource().isEmpty() ? "" : "/" + resource.subresource())
                + (resource.name().isEmpty() ? "" : " " + resource.name());
    }

    /** The question about one verb. */
    AccessAttributes asking(String verb) {
        return switch (access) {
            case NonResourceAttributes path -> new NonResourceAttributes(path.path(), verb);
            case ResourceAttributes resource ->
                new ResourceAttributes(
                        resource.namespace(),
                        verb,
                        resource.group(),
                        resource.version(),
                        resource.resource(),
                        resource.subresource(),
                        resource.name());
        };
    }
}
