package io.plat.review;

/**
 * The access that a request needs: one verb on either a resource or a path. A request has exactly one of the two.
 *
 * <p>Strings are never null; an attribute that was not given has the zero value {@code ""} (specification, "Request
 * attributes").
 */
public sealed interface AccessAttributes permits ResourceAttributes, NonResourceAttributes {
    /** Returns the request verb, such as {@code get} or {@code deletecollection}; {@code ""} for an unmapped method. */
    String verb();

    /** Returns the same access with another verb. */
    AccessAttributes withVerb(String verb);
}
