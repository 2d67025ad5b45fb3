package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.NameRule;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;

/** What a new object needs of others, and what it gets of them: a pod runs as a service account that exists, at the priority of a class. */
public final class Admission {
    private static final String PODS = "pods";

    private Admission() {}

    /** Refuses what lacks something. */
    public static void create(Target target, ObjectNode object, Snapshot snapshot)
            throws StatusException, StorageException {
        switch (target.type().storage()) {
            case PODS -> requireAccount(target, object, snapshot);
            case Priorities.CLASSES -> Priorities.checkOnlyStandard(target, object, snapshot);
            default -> {}
        }
    }

    /** Says what nobody need say of a new object. It is not the client who said it, who therefore does not own it. */
    public static void complete(Target target, ObjectNode object, Snapshot snapshot)
            throws StatusException, StorageException {
        switch (target.type().storage()) {
            case PODS -> {
                ObjectNode spec = Json.child(object, "spec");
                Tolerations.complete(spec);
                Priorities.resolve(target, spec, snapshot);
            }
            case "nodes" -> Tolerations.taint(object);
            default -> {}
        }
    }

    private static void requireAccount(Target target, ObjectNode object, Snapshot snapshot)
            throws StatusException, StorageException {
        String account = Json.text(object.path("spec"), "serviceAccountName");
        if (account.isEmpty()) {
            account = Json.text(object.path("spec"), "serviceAccount");
        }
        if (account.isEmpty()) {
            account = ServiceAccountRules.DEFAULT;
        }
        if (NameRule.SUBDOMAIN.problems(account).isEmpty()
                && snapshot.get(new Key("serviceaccounts", target.namespace(), account))
                        .isPresent()) {
            return;
        }
        throw Refusals.forbidden(
                target.type(),
                target.name(),
                "error looking up service account " + target.namespace() + "/" + account + ": serviceaccount "
                        + FieldWords.quoted(account) + " not found",
                List.of());
    }
}
