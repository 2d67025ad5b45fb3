package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.List;

/** What a new object needs of others: a pod runs as a service account that exists. */
final class Admission {
    private Admission() {}

    static void create(Target target, ObjectNode object, Snapshot snapshot) throws StatusException, StorageException {
        if (!target.type().storage().equals("pods")) {
            return;
        }
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
