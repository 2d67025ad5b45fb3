package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Target;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** If a permission is revoked while its request is processed, nothing more is written. */
class RevokedWritesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String MAP = "{\"metadata\":{\"name\":\"m\"}}";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    /** Returns a user whose permission is revoked after some writes. */
    private static Requester revokedAfter(int writes) {
        var left = new AtomicInteger(writes);
        return new Requester() {
            @Override
            public UserInfo user() {
                return new UserInfo("alice", List.of());
            }

            @Override
            public void requirePermission() throws StatusException {
                if (left.getAndDecrement() <= 0) {
                    throw new StatusException(StatusReason.FORBIDDEN, "revoked");
                }
            }
        };
    }

    private static void assertRevoked(Api.Answer answer) {
        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message()).isEqualTo("revoked");
    }

    /** Options of writes whose permission is revoked: that for the request, and that for its content. */
    static List<WriteOptions> revocations() {
        WriteCheck content = new WriteCheck() {
            @Override
            public void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before) {}

            @Override
            public void renew(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
                    throws StatusException {
                throw new StatusException(StatusReason.FORBIDDEN, "revoked");
            }
        };
        return List.of(
                WriteOptions.DEFAULT.of(revokedAfter(0)),
                WriteOptions.DEFAULT.checking(content).of(Requester.of(new UserInfo("alice", List.of()))));
    }

    @ParameterizedTest
    @MethodSource("revocations")
    void nothingIsWritten(WriteOptions revoked) {
        api.given(MAPS, MAP);
        long revision = api.get(MAPS + "/m").metadata().path("resourceVersion").asLong();
        assertRevoked(api.post(MAPS, "{\"metadata\":{\"name\":\"n\"}}", revoked));
        assertRevoked(api.put(MAPS + "/m", "{\"metadata\":{\"name\":\"m\"},\"data\":{\"a\":\"b\"}}", revoked));
        assertRevoked(api.patch(MAPS + "/m", PatchFormat.MERGE, "{\"data\":{\"a\":\"b\"}}", revoked));
        assertRevoked(api.apply(
                MAPS + "/m",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},\"data\":{\"a\":\"b\"}}",
                revoked));
        assertRevoked(api.apply(
                MAPS + "/n", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"}}", revoked));
        assertThat(api.get(MAPS + "/m").metadata().path("resourceVersion").asLong())
                .isEqualTo(revision);
        assertThat(api.get(MAPS + "/n").code()).isEqualTo(404);
    }

    @Test
    void nothingIsDeleted() {
        api.given(MAPS, MAP);
        assertRevoked(api.answer(
                () -> api.operations.delete(api.target(MAPS + "/m"), DeleteOptions.DEFAULT, revokedAfter(0))));
        assertThat(api.get(MAPS + "/m").code()).isEqualTo(200);
    }

    /** Such as tokens and connections: they are admitted, and nothing is written. */
    @Test
    void otherEffectsAreRefused() {
        Target target = api.target(MAPS + "/m");
        assertRevoked(api.answer(() -> {
            api.operations.admit(AdmissionRequest.of(
                    AdmissionRequest.Operation.CREATE, target, "token", Json.object(), null, false, revokedAfter(0)));
            return null;
        }));
    }

    @ParameterizedTest
    @MethodSource("revocations")
    void allocationsAreReleased(WriteOptions revoked) {
        String service =
                "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"clusterIP\":\"10.96.0.77\",\"ports\":[{\"port\":80}]}}";
        assertRevoked(api.post(SERVICES, service, revoked));
        api.given(SERVICES, service.replace("\"s\"", "\"t\""));
    }

    @Test
    void deletionOfACollectionEnds() {
        for (int i = 0; i < 20; i++) {
            api.given(MAPS, "{\"metadata\":{\"name\":\"m" + i + "\"}}");
        }
        assertRevoked(api.answer(() -> api.operations.deleteCollection(
                api.target(MAPS), ListOptions.DEFAULT, DeleteOptions.DEFAULT, revokedAfter(5))));
        assertThat(api.list(MAPS, ListOptions.DEFAULT).body().path("items")).hasSize(15);
    }
}
