package io.plat.review;

/**
 * What a request wants to do: one verb on either a resource or a path. A request has exactly one of the two.
 *
 * <p>Strings are never null; an attribute that was not given has the zero value {@code ""} (specification, "Request
 * attributes").
 */
public sealed interface AccessAttributes permits ResourceAttributes, NonResourceAttributes {
    /** The request verb, such as {@code get} or {@code deletecollection}; {@code ""} for an unmapped method. */
    String verb();
}
