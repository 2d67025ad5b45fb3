package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.rules.NameRule;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;

/** Admission of new objects that depends on other objects: service accounts and priority classes of pods, classes of ingresses. */
public final class AdmissionPlugins {
    private static final String PODS = "pods";

    private AdmissionPlugins() {}

    /** Rejects an object whose prerequisites are missing. */
    public static void create(Target target, ObjectNode object, Snapshot snapshot)
            throws StatusException, StorageException {
        switch (target.type().storage()) {
            case PODS -> requireAccount(target, object, snapshot);
            case PriorityClasses.CLASSES -> PriorityClasses.requireSingleDefault(target, object, snapshot);
            default -> {}
        }
    }

    /** Sets fields of a new object that are derived from other objects. The server, not the client, sets them, so they have no owner. */
    public static void complete(Target target, ObjectNode object, Snapshot snapshot, ObjectIdentity identity)
            throws StatusException, StorageException {
        switch (target.type().storage()) {
            case PODS -> {
                ObjectNode spec = Json.child(object, "spec");
                Tolerations.complete(spec);
                PriorityClasses.resolve(target, spec, snapshot);
                account(target, spec, snapshot)
                        .ifPresent(account ->
                                AccountVolume.add(object, spec, StoredForm.decode(account.value(), 0), identity));
            }
            case "nodes" -> Tolerations.taint(object);
            case "ingresses.networking.k8s.io" -> DefaultIngressClass.complete(object, snapshot);
            default -> {}
        }
    }

    private static void requireAccount(Target target, ObjectNode object, Snapshot snapshot)
            throws StatusException, StorageException {
        JsonNode spec = object.path("spec");
        String account = accountName(spec);
        if (NameRule.SUBDOMAIN.problems(account).isEmpty()
                && account(target, spec, snapshot).isPresent()) {
            return;
        }
        throw ApiErrors.forbidden(
                target.type(),
                target.name(),
                "error looking up service account " + target.namespace() + "/" + account + ": serviceaccount "
                        + FieldErrorMessages.quoted(account) + " not found",
                List.of());
    }

    private static Optional<Entry> account(Target target, JsonNode spec, Snapshot snapshot) throws StorageException {
        return snapshot.get(new Key("serviceaccounts", target.namespace(), accountName(spec)));
    }

    private static String accountName(JsonNode spec) {
        String account = Json.text(spec, "serviceAccountName");
        account = account.isEmpty() ? Json.text(spec, "serviceAccount") : account;
        return account.isEmpty() ? ServiceAccountRules.DEFAULT : account;
    }
}
