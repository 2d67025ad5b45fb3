package io.plat.apiserver.objects;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;

/**
 * Namespace of a new object. Every creation is conditional on the namespace being unchanged, so that nothing is created in one that has
 * begun terminating.
 */
public record TargetNamespace(Optional<Entry> namespace) {
    /**
     * Looks the namespace up.
     *
     * @throws StatusException 404 if it does not exist, 403 if it is terminating
     */
    public static TargetNamespace of(Target target, String name, Snapshot snapshot) throws StatusException {
        String namespace = target.namespace();
        if (!target.type().namespaced()) {
            return new TargetNamespace(Optional.empty());
        }
        Entry entry = snapshot.find(ResourceCatalog.NAMESPACES, "", namespace)
                .orElseThrow(() -> ApiErrors.namespaceNotFound(namespace));
        if (NamespaceRules.terminating(entry.value())) {
            var cause = new Status.Cause(
                    "NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace");
            throw ApiErrors.forbidden(
                    target.type(),
                    name,
                    "unable to create new content in namespace " + namespace + " because it is being terminated",
                    List.of(cause));
        }
        return new TargetNamespace(Optional.of(entry));
    }

    /** Returns a creation that is conditional on the namespace being unchanged. */
    public Transaction conditional(Transaction creation) {
        return namespace.map(creation::expecting).orElse(creation);
    }
}
