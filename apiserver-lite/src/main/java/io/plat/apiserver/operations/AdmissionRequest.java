package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.Versions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as admission policies see it.
 *
 * @param operation what happens to the object
 * @param resource the resource of the path
 * @param subresource the subresource of the path, or {@code ""}
 * @param kind the type of the objects below, where it is another than that of the resource
 * @param namespace the namespace of the request, or {@code ""}; of a namespace, its name
 * @param name the name that the request gives, or {@code ""}
 * @param object the object as it would be stored; null for a deletion
 * @param oldObject the stored object; null for a creation
 * @param options the options of the request, with kind and apiVersion
 * @param dryRun whether nothing is written
 * @param requester the user
 */
public record AdmissionRequest(
        Operation operation,
        ResourceType resource,
        String subresource,
        Optional<ResourceType.Operation> kind,
        String namespace,
        String name,
        @Nullable ObjectNode object,
        @Nullable ObjectNode oldObject,
        ObjectNode options,
        boolean dryRun,
        Requester requester) {
    /** What a request does. */
    public enum Operation {
        CREATE("CreateOptions"),
        UPDATE("UpdateOptions"),
        DELETE("DeleteOptions"),
        CONNECT("");

        private final String options;

        Operation(String options) {
            this.options = options;
        }
    }

    /**
     * A request.
     *
     * @param subresource the subresource of the path, or {@code ""}: it may have objects of another type than the resource
     */
    public static AdmissionRequest of(
            Operation operation,
            Target target,
            String subresource,
            @Nullable ObjectNode object,
            @Nullable ObjectNode oldObject,
            boolean dryRun,
            Requester requester) {
        ResourceType type = target.type();
        ObjectNode options = Json.object();
        if (!operation.options.isEmpty()) {
            options.put("kind", operation.options).put("apiVersion", "meta.k8s.io/v1");
        }
        if (dryRun) {
            options.putArray("dryRun").add("All");
        }
        return new AdmissionRequest(
                operation,
                type,
                subresource,
                type.subresource(subresource).flatMap(Subresource::operation),
                type.storage().equals(ResourceCatalog.NAMESPACES) ? target.name() : target.namespace(),
                target.name(),
                object,
                oldObject,
                options,
                dryRun,
                requester);
    }

    /** Returns an object as a version of its type shows it, with kind and apiVersion. */
    public static ObjectNode served(ObjectNode stored, ResourceType version) {
        ObjectNode whole = Json.object().put("kind", version.kind()).put("apiVersion", version.apiVersion());
        return whole.setAll(Versions.serve(version, stored.deepCopy()));
    }
}
