package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoleAggregatorTest {
    private final RoleStore all = new RoleStore();
    private final RoleAggregator aggregator = RoleAggregator.start(all.roles, all.store);

    @AfterEach
    void close() throws StorageException {
        aggregator.close();
        all.close();
    }

    private static String rule(String verb) {
        return "{'verbs':['" + verb + "'],'apiGroups':[''],'resources':['pods']}";
    }

    private void part(String name, String labels, String... verbs) throws StatusException {
        String rules = String.join(
                ",", Arrays.stream(verbs).map(RoleAggregatorTest::rule).toList());
        all.create(
                "clusterroles",
                "",
                "{'metadata':{'name':'" + name + "','labels':{" + labels + "}},'rules':[" + rules + "]}");
    }

    private void gathering(String name, String labels, String... selected) throws StatusException {
        String selectors = String.join(
                ",",
                Arrays.stream(selected)
                        .map(label -> "{'matchLabels':{'" + label + "':'true'}}")
                        .toList());
        all.create(
                "clusterroles",
                "",
                "{'metadata':{'name':'" + name + "','labels':{" + labels
                        + "}},'aggregationRule':{'clusterRoleSelectors':[" + selectors + "]}}");
    }

    private String verbs(String name) {
        try {
            StringBuilder verbs = new StringBuilder();
            for (JsonNode rule : all.get("clusterroles", "", name).path("rules")) {
                verbs.append(rule.path("verbs").get(0).asText()).append(' ');
            }
            return verbs.toString().strip();
        } catch (StatusException e) {
            throw new IllegalStateException(e);
        }
    }

    private void becomes(String name, String verbs) {
        await().pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(verbs(name)).isEqualTo(verbs));
    }

    @Test
    void rulesAreOrderedBySelectorThenNameWithoutDuplicates() throws StatusException {
        gathering("whole", "", "second", "first");
        part("c", "'first':'true'", "list", "get");
        part("b", "'first':'true','second':'true'", "watch", "get");
        part("a", "'first':'true'", "create");
        part("z", "'second':'true'", "delete");
        part("other", "'first':'false'", "patch");
        becomes("whole", "watch get delete create list");
    }

    @Test
    void changesOfEveryKindAreFollowed() throws StatusException {
        part("a", "'first':'true'", "get");
        gathering("whole", "", "first");
        becomes("whole", "get");
        all.patch("clusterroles", "a", "{'rules':[" + rule("list") + "]}");
        becomes("whole", "list");
        part("b", "'second':'true'", "watch");
        all.patch("clusterroles", "b", "{'metadata':{'labels':{'first':'true'}}}");
        becomes("whole", "list watch");
        all.delete("clusterroles", "a");
        becomes("whole", "watch");
        all.patch(
                "clusterroles",
                "whole",
                "{'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'second':'no'}}]}}");
        becomes("whole", "");
    }

    @Test
    void foreignRulesAreOverwritten() throws StatusException {
        part("a", "'first':'true'", "get");
        gathering("whole", "", "first");
        becomes("whole", "get");
        all.patch("clusterroles", "whole", "{'rules':[" + rule("delete") + "]}");
        becomes("whole", "get");
    }

    @Test
    void roleWithoutAggregationKeepsItsRules() throws StatusException {
        part("a", "'first':'true'", "get");
        gathering("whole", "", "first");
        becomes("whole", "get");
        all.patch("clusterroles", "whole", "{'aggregationRule':null,'rules':[" + rule("delete") + "]}");
        part("b", "'first':'true'", "list");
        gathering("later", "", "first");
        becomes("later", "get list");
        assertThat(verbs("whole")).isEqualTo("delete");
    }

    @Test
    void aggregationIsTransitive() throws StatusException {
        gathering("admin", "", "to-admin");
        gathering("edit", "'to-admin':'true'", "to-edit");
        gathering("view", "'to-edit':'true'", "to-view");
        part("a-view", "'to-view':'true'", "get");
        part("b-edit", "'to-edit':'true'", "create");
        part("c-admin", "'to-admin':'true'", "delete");
        becomes("view", "get");
        becomes("edit", "create get");
        becomes("admin", "delete create get");
    }

    @Test
    void cyclicAggregationConverges() throws StatusException {
        gathering("a", "'b':'true'", "a");
        gathering("b", "'a':'true'", "b");
        part("x", "'a':'true'", "get");
        part("y", "'b':'true'", "list");
        becomes("a", "list get");
        becomes("b", "get list");
        all.delete("clusterroles", "x");
        becomes("a", "list");
        becomes("b", "list");
    }

    @Test
    void unchangedRoleIsNotWritten() throws StatusException, StorageException {
        part("a", "'first':'true'", "get");
        gathering("whole", "", "first");
        becomes("whole", "get");
        String version = all.get("clusterroles", "", "whole")
                .at("/metadata/resourceVersion")
                .asText();
        part("unrelated", "", "get");
        all.patch("clusterroles", "a", "{'metadata':{'annotations':{'x':'y'}}}");
        part("b", "'first':'true'", "get");
        // A marker after all of these, which shows that they were processed.
        gathering("last", "", "first");
        becomes("last", "get");
        assertThat(all.get("clusterroles", "", "whole")
                        .at("/metadata/resourceVersion")
                        .asText())
                .isEqualTo(version);
    }

    @Test
    void changeIsAggregatedWithinMilliseconds() throws StatusException {
        gathering("whole", "", "first");
        long[] nanos = new long[50];
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < nanos.length; i++) {
            expected.append(i == 0 ? "" : " ").append("verb-").append(String.format("%02d", i));
            part(String.format("part-%02d", i), "'first':'true'", String.format("verb-%02d", i));
            long written = System.nanoTime();
            while (!verbs("whole").contentEquals(expected)) {
                Thread.onSpinWait();
                assertThat(System.nanoTime() - written)
                        .isLessThan(Duration.ofSeconds(5).toNanos());
            }
            nanos[i] = System.nanoTime() - written;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "from a part's write to the whole that has it: %.2f ms in the middle, %.2f ms at worst%n",
                nanos[25] / 1e6, nanos[49] / 1e6);
    }
}
