package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.options.ListOptions;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors read the objects that they are compared with, so their cost is proportional to the size of all of them, regardless of matches. */
class SelectorCostTest {
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final int OBJECTS = 12;

    private static final Api API = new Api();

    @BeforeAll
    static void fill() {
        for (int i = 0; i < OBJECTS; i++) {
            API.given(SECRETS, secret(i));
        }
    }

    private static String secret(int number) {
        String secret = "{'metadata':{'name':'s%02d','labels':{'a':'b'}},'type':'t','data':{'a':'%s'}}";
        return secret.formatted(number, "A".repeat(300_000)).replace('\'', '"');
    }

    private static ListOptions options(String labels, String fields) {
        return new ListOptions(labels, fields, "", "", 0, "", null, false);
    }

    @AfterAll
    static void close() {
        API.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'', type=t, true",
        "'', type=zz, true",
        "a=b, '', true",
        "a=zz, '', true",
        "'', metadata.name!=zz, false",
        "'', '', false",
    })
    void listThatReadsLargeObjectsIsALongComputation(String labels, String fields, boolean longComputation)
            throws StatusException {
        var options = options(labels, fields);
        assertThat(RequestMemory.tryOnSharedThread(() -> API.operations.list(API.target(SECRETS), options)) == null)
                .isEqualTo(longComputation);
    }

    @ParameterizedTest
    @CsvSource({"'', type=t, 1", "a=b, '', 1", "'', type=zz, 1", "'', metadata.name!=zz, 12", "'', '', 12"})
    void pollOfAWatchReadsFewLargeObjects(String labels, String fields, int each) throws StatusException {
        var options = options(labels, fields);
        try (ObjectWatch watch = API.operations.watch(API.target(SECRETS), options, () -> {})) {
            int matching = fields.endsWith("=zz") && !fields.contains("!") ? 0 : OBJECTS;
            int polls = 0;
            int found = 0;
            while (watch.poll(64) instanceof ObjectWatch.Portion.Events(List<WatchEvent> events)) {
                polls++;
                found += events.size();
                assertThat(events.size()).isLessThanOrEqualTo(each);
            }
            assertThat(found).isEqualTo(matching);
            assertThat(polls).isEqualTo(OBJECTS / each);
        }
    }

    @Test
    void changesOfLargeObjectsAreReadInSeveralPolls() throws StatusException {
        try (Api api = new Api()) {
            var options = options("", "type=t");
            try (ObjectWatch watch = api.operations.watch(api.target(SECRETS), options, () -> {})) {
                while (!(watch.poll(64) instanceof ObjectWatch.Portion.Idle)) {
                    // The (empty) list of initial objects.
                }
                for (int i = 0; i < 4; i++) {
                    api.given(SECRETS, secret(i));
                }
                var names = new ArrayList<String>();
                while (watch.poll(64) instanceof ObjectWatch.Portion.Events(List<WatchEvent> events)) {
                    assertThat(events).hasSize(1);
                    names.add(events.getFirst().object().name());
                }
                assertThat(names).containsExactly("s00", "s01", "s02", "s03");
            }
        }
    }
}
