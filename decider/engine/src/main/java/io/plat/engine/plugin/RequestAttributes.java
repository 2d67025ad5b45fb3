package io.plat.engine.plugin;

import java.util.List;
import java.util.Map;

/**
 * Attributes of a request: the user and the requested access (specification, "Request attributes"). Immutable. Nothing in it is null: an
 * attribute that the request has not is {@code ""} or empty. Made by the server; accessors may be added.
 */
public interface RequestAttributes {
    /** The user's name, {@code ""} where a review names groups only. */
    String user();

    /** An identifier of the user that outlives the name, or {@code ""}. */
    String uid();

    /** The user's groups, exactly as given: none is implied. */
    List<String> groups();

    /** Further facts about the user, by key. */
    Map<String, List<String>> extra();

    /** The verb: of a resource such as {@code get} or {@code deletecollection}, of a path the HTTP method in lower case. */
    String verb();

    /** Returns whether a resource is requested; else it is a path. */
    boolean isResourceRequest();

    /** The namespace, or {@code ""} for cluster scope, for all namespaces and for a path. */
    String namespace();

    /**
     * The API group, {@code ""} for the core group and for a path. A group that has two names is shown by one of them:
     * {@code rbac.authorization.k8s.io} and {@code authorization.k8s.io}, also if the request had {@code plat.io}.
     */
    String apiGroup();

    /** The API version, informative only. */
    String apiVersion();

    /** The resource, in the plural, or {@code ""} for a path. */
    String resource();

    /** The subresource, or {@code ""}. */
    String subresource();

    /** The object's name, or {@code ""} where the request names none. */
    String name();

    /** The field selector; {@link Selector#NONE} for all objects. */
    Selector fieldSelector();

    /** The label selector; {@link Selector#NONE} for all objects. */
    Selector labelSelector();

    /** The path of a request that is for no resource, else {@code ""}. */
    String path();
}
