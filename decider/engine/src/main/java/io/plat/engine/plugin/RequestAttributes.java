package io.plat.engine.plugin;

import java.util.List;
import java.util.Map;

/**
 * Attributes of a request: the user and the requested access (specification, "Request attributes"). Immutable. Never null: a missing attribute is
 * {@code ""} or empty. Implemented by the server; methods may be added.
 */
public interface RequestAttributes {
    /** Returns the user's name, {@code ""} if a review has only groups. */
    String user();

    /** Returns the user's unique identifier across renames, or {@code ""}. */
    String uid();

    /** Returns the user's groups, exactly as sent: none is implied. */
    List<String> groups();

    /** Returns additional attributes of the user, by key. */
    Map<String, List<String>> extra();

    /** Returns the verb, such as {@code get} or {@code deletecollection}; for a path the HTTP method in lower case. */
    String verb();

    /** Returns whether the request is for a resource, as opposed to a path. */
    boolean isResourceRequest();

    /** Returns the namespace, or {@code ""} for cluster scope, for all namespaces and for a path. */
    String namespace();

    /**
     * Returns the API group, {@code ""} for the core group and for a path. Of a group with two names, the canonical one is returned: {@code
     * rbac.authorization.k8s.io} and {@code authorization.k8s.io}, also if the request had {@code plat.io}.
     */
    String apiGroup();

    /** Returns the API version, informational only. */
    String apiVersion();

    /** Returns the resource, in the plural, or {@code ""} for a path. */
    String resource();

    /** Returns the subresource, or {@code ""}. */
    String subresource();

    /** Returns the object's name, or {@code ""} if the request has none. */
    String name();

    /** Returns the field selector; {@link Selector#NONE} for all objects. */
    Selector fieldSelector();

    /** Returns the label selector; {@link Selector#NONE} for all objects. */
    Selector labelSelector();

    /** Returns the path of a non-resource request, else {@code ""}. */
    String path();
}
