package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists in chunks: one snapshot, and the validity of tokens. */
final class ChunksTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InstantSource clock = now::get;
    private final ObjectStore store =
            EmbeddedStore.inMemory(new StoreOptions(new HistoryPolicy.Changes(20), 1 << 20, clock));
    private final Api api = new Api(store, new ObjectIdentity(clock, new Random(1)));

    @BeforeEach
    void fill() {
        for (int i = 0; i < 10; i++) {
            api.given(MAPS, "{\"metadata\":{\"name\":\"m" + i + "\",\"labels\":{\"even\":\"" + (i % 2 == 0) + "\"}}}");
        }
    }

    @AfterEach
    void close() {
        api.close();
    }

    private Api.Answer chunk(String path, int limit, String token) {
        return api.list(path, new ListOptions("", "", "", "", limit, token, null, false));
    }

    private static String token(Api.Answer answer) {
        return answer.metadata().path("continue").asText();
    }

    private static List<String> names(Api.Answer answer) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        var names = new ArrayList<String>();
        answer.body()
                .path("items")
                .forEach(item -> names.add(item.path("metadata").path("name").asText()));
        return names;
    }

    @Test
    void everyChunkShowsTheStateOfTheFirst() {
        Api.Answer first = chunk(MAPS, 4, "");
        assertThat(names(first)).containsExactly("m0", "m1", "m2", "m3");
        assertThat(first.metadata().path("remainingItemCount").asInt()).isEqualTo(6);
        api.given(MAPS, "{\"metadata\":{\"name\":\"m55\"}}");
        api.delete(MAPS + "/m6");
        api.put(MAPS + "/m7", "{\"metadata\":{\"name\":\"m7\"},\"data\":{\"k\":\"new\"}}");
        Api.Answer second = chunk(MAPS, 4, token(first));
        assertThat(names(second)).containsExactly("m4", "m5", "m6", "m7");
        assertThat(second.body().path("items").path(3).has("data")).isFalse();
        assertThat(second.metadata().path("remainingItemCount").asInt()).isEqualTo(2);
        Api.Answer third = chunk(MAPS, 4, token(second));
        assertThat(names(third)).containsExactly("m8", "m9");
        assertThat(third.metadata().has("remainingItemCount")).isFalse();
        assertThat(third.metadata().path("continue").isTextual()).isTrue();
        assertThat(token(third)).isEmpty();
        assertThat(List.of(second, third))
                .allSatisfy(chunk -> assertThat(chunk.metadata().path("resourceVersion"))
                        .isEqualTo(first.metadata().path("resourceVersion")));
    }

    @Test
    void selectorsFillTheChunkWithoutARemainingCount() {
        var names = new ArrayList<String>();
        String token = "";
        do {
            Api.Answer chunk = api.list(MAPS, new ListOptions("even=true", "", "", "", 2, token, null, false));
            assertThat(chunk.metadata().has("remainingItemCount")).isFalse();
            assertThat(names(chunk)).hasSizeLessThanOrEqualTo(2);
            names.addAll(names(chunk));
            token = token(chunk);
        } while (!token.isEmpty());
        assertThat(names).containsExactly("m0", "m2", "m4", "m6", "m8");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/configmaps",
        "/api/v1/namespaces/other/configmaps",
        "/api/v1/namespaces/default/secrets",
        "/api/v1/namespaces"
    })
    void tokenIsValidForItsCollectionOnly(String elsewhere) {
        String token = token(chunk(MAPS, 4, ""));
        assertThat(chunk(elsewhere, 4, token).code()).isEqualTo(400);
        assertThat(chunk(MAPS, 4, token).code()).isEqualTo(200);
    }

    @Test
    void modifiedTokenIsRejected() {
        String token = token(chunk(MAPS, 4, ""));
        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            String forged = token.substring(0, i) + other + token.substring(i + 1);
            assertThat(chunk(MAPS, 4, forged).code()).as(forged).isEqualTo(400);
        }
    }

    @Test
    void expiredTokenOffersAnInconsistentContinuation() {
        String token = token(chunk(MAPS, 4, ""));
        now.updateAndGet(instant -> instant.plus(Duration.ofMinutes(5)));
        assertThat(chunk(MAPS, 4, token).code()).isEqualTo(200);
        now.updateAndGet(instant -> instant.plusSeconds(1));
        api.given(MAPS, "{\"metadata\":{\"name\":\"m55\"}}");
        Api.Answer expired = chunk(MAPS, 4, token);
        assertThat(expired.code()).isEqualTo(410);
        assertThat(expired.body().path("reason").asText()).isEqualTo("Expired");
        Api.Answer rest = chunk(MAPS, 0, token(expired));
        assertThat(names(rest)).containsExactly("m4", "m5", "m55", "m6", "m7", "m8", "m9");
        Api.Answer piece = chunk(MAPS, 2, token(expired));
        api.given(MAPS, "{\"metadata\":{\"name\":\"m56\"}}");
        assertThat(names(chunk(MAPS, 2, token(piece))))
                .as("one state from here on")
                .containsExactly("m55", "m6");
    }

    @Test
    void tokenOfACompactedRevisionIsExpired() {
        String token = token(chunk(MAPS, 4, ""));
        for (int i = 0; i < 40; i++) {
            api.put(MAPS + "/m1", "{\"metadata\":{\"name\":\"m1\"},\"data\":{\"k\":\"" + i + "\"}}");
        }
        Api.Answer expired = chunk(MAPS, 4, token);
        assertThat(expired.code()).isEqualTo(410);
        assertThat(names(chunk(MAPS, 0, token(expired)))).hasSize(6);
        Api.Answer exact = api.list(MAPS, new ListOptions("", "", "5", "Exact", 0, "", null, false));
        assertThat(exact.code()).isEqualTo(410);
        assertThat(exact.message()).isEqualTo("The resourceVersion for the provided list is too old.");
    }

    @Test
    void exactVersionWithALimit() {
        String version = chunk(MAPS, 4, "").metadata().path("resourceVersion").asText();
        api.given(MAPS, "{\"metadata\":{\"name\":\"later\"}}");
        Api.Answer exact = api.list(MAPS, new ListOptions("", "", version, "", 20, "", null, false));
        assertThat(names(exact)).hasSize(10);
        assertThat(exact.metadata().path("resourceVersion").asText()).isEqualTo(version);
        assertThat(names(api.list(MAPS, new ListOptions("", "", version, "NotOlderThan", 20, "", null, false))))
                .hasSize(11);
        assertThat(names(api.list(MAPS, new ListOptions("", "", "0", "", 5, "", null, false))))
                .hasSize(5);
    }

    @Test
    void tokenSurvivesARestart() {
        String token = token(chunk(MAPS, 4, ""));
        try (Api again = new Api(store, new ObjectIdentity(clock, new Random(2)))) {
            assertThat(names(again.list(MAPS, new ListOptions("", "", "", "", 2, token, null, false))))
                    .containsExactly("m4", "m5");
        }
    }
}
