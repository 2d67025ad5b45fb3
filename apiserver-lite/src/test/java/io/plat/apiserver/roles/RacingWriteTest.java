package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A patch that is repeated after a conflict is checked again, as its result may be another object. */
class RacingWriteTest {
    /** A store that executes a competing write before the first one. */
    private static final class Overtaken extends DelegatingStore {
        private final Runnable other;
        private boolean done;

        Overtaken(ObjectStore store, Runnable other) {
            super(store);
            this.other = other;
        }

        @Override
        public CompletableFuture<Outcome> submit(Transaction transaction) {
            if (!done && transaction.key().resource().startsWith("clusterroles.")) {
                done = true;
                other.run();
            }
            return super.submit(transaction);
        }
    }

    @Test
    void checkedObjectIsTheStoredObject() throws StorageException, StatusException {
        try (RoleStore all = new RoleStore()) {
            all.create("clusterroles", "", "{'metadata':{'name':'r'},'rules':[]}");
            Runnable administrator = () -> {
                try {
                    all.patch("clusterroles", "r", "{'rules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*']}]}");
                } catch (StatusException e) {
                    throw new IllegalStateException(e);
                }
            };
            ObjectStore overtaken = new Overtaken(all.roles.store(), administrator);
            EscalationGuard guard = new EscalationGuard(all.roles.current(), null);
            try (ResourceOperations operations = ResourceOperations.start(
                    overtaken,
                    all.catalog,
                    DynamicTypes.NONE,
                    new ObjectIdentity(InstantSource.system(), new Random(1)),
                    ResourceOperations.Settings.DEFAULT)) {
                byte[] label = "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}".getBytes(StandardCharsets.UTF_8);
                WriteOptions byAlice = WriteOptions.DEFAULT.checking(guard.of(new UserInfo("alice", List.of())));
                assertThatThrownBy(() -> operations.patch(
                                all.target("clusterroles", "", "r"), null, PatchFormat.MERGE, label, byAlice))
                        .isInstanceOfSatisfying(
                                StatusException.class,
                                e -> assertThat(e.status().code()).isEqualTo(403));
            }
            assertThat(all.get("clusterroles", "", "r").at("/metadata/labels").isMissingNode())
                    .isTrue();
        }
    }
}
