package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Request in the view of admission policies.
 *
 * @param subresource subresource of the path, or {@code ""}
 * @param namespace namespace of the request, or {@code ""}; for a namespace, its own name
 * @param name requested name, or {@code ""}
 * @param object object as it would be stored; null for a deletion
 * @param oldObject stored object; null for a creation
 * @param options options of the request, with kind and apiVersion
 * @param dryRun whether nothing is written
 * @param requester the user
 */
public record AdmissionRequest(
        Operation operation,
        ResourceType resource,
        String subresource,
        Optional<ResourceType.GroupVersionKind> kind,
        String namespace,
        String name,
        @Nullable ObjectNode object,
        @Nullable ObjectNode oldObject,
        ObjectNode options,
        boolean dryRun,
        Requester requester) {
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
     * Creates a request.
     *
     * @param subresource subresource of the path, or {@code ""}; its objects may be of another type than the resource
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

    public static ObjectNode served(ObjectNode stored, ResourceType version) {
        ObjectNode served = Json.object().put("kind", version.kind()).put("apiVersion", version.apiVersion());
        return served.setAll(ObjectConversion.serve(version, stored.deepCopy()));
    }
}
