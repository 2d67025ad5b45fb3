package io.plat.tests.authzen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The interoperability scenarios of the working group: the todo application, the gateway before it, and search. */
class InteropScenariosTest {
    /** The subjects' ids, as in the application's tokens. */
    private static final Map<String, String> IDS =
            Map.of("rick", "A2M", "morty", "E2M", "summer", "I2M", "beth", "M2M", "jerry", "Q2M");

    private static AuthZenDecider decider;

    @BeforeAll
    static void start() {
        decider = AuthZenDecider.start(
                TestPki.create(),
                "--authorization-mode=RBAC",
                "--authorization-rbac-path=" + AuthZenDecider.file("interop-roles.yaml"),
                "--authzen-mapping=" + AuthZenDecider.file("interop-mapping.yaml"));
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    private static String id(String user) {
        return "CiRmZD" + IDS.get(user) + "TRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs";
    }

    private static String evaluation(String type, String user, String action) {
        return "{\"subject\":{\"type\":\"%s\",\"id\":\"%s\"},\"action\":{\"name\":\"%s\"}"
                .formatted(type, id(user), action);
    }

    private static String todo(String type, String id, String owner) {
        String properties = owner.equals("-") ? "" : ",\"properties\":{\"ownerID\":\"" + owner + "\"}";
        return "\"resource\":{\"type\":\"%s\",\"id\":\"%s\"%s}".formatted(type, id, properties);
    }

    @TestFactory
    Stream<DynamicTest> todoApplication() {
        return AuthZenDecider.lines("todo.cases").stream().map(line -> dynamicTest(line, () -> todo(line)));
    }

    private static void todo(String line) throws IOException {
        String[] cells = line.split(" \\| ", -1);
        String request = evaluation("user", cells[0], cells[1]);
        if (cells[2].indexOf(' ') < 0) {
            assertThat(decider.evaluate(request + "," + todo(cells[2], cells[3], cells[4]) + ",\"context\":{}}"))
                    .isEqualTo(Boolean.parseBoolean(cells[5]));
            return;
        }
        List<String> items = new ArrayList<>();
        List<Boolean> expected = new ArrayList<>();
        for (String cell : List.of(cells).subList(2, cells.length)) {
            String[] item = cell.split(" ", -1);
            items.add("{" + todo("todo", item[0], item[1]) + "}");
            expected.add(Boolean.parseBoolean(item[2]));
        }
        // The application's default resource is empty; each evaluation overrides it.
        String body = request + ",\"resource\":{},\"context\":{},\"evaluations\":[" + String.join(",", items) + "]}";
        assertThat(AuthZenDecider.decisions(decider.ok(AuthZenDecider.EVALUATIONS, body)))
                .isEqualTo(expected);
    }

    @TestFactory
    Stream<DynamicTest> gateway() {
        return AuthZenDecider.lines("gateway.cases").stream()
                .map(line -> dynamicTest(line, () -> {
                    String[] cells = line.split(" \\| ", -1);
                    String request =
                            evaluation("identity", cells[0], cells[1]) + "," + todo("route", cells[2], "-") + "}";
                    assertThat(decider.evaluate(request)).isEqualTo(Boolean.parseBoolean(cells[3]));
                }));
    }

    @TestFactory
    Stream<DynamicTest> search() {
        return AuthZenDecider.lines("search.cases").stream()
                .map(line -> dynamicTest(line, () -> {
                    String[] sides = line.split(" = ?", -1);
                    String[] arguments = sides[0].split(" ", -1);
                    String body = switch (arguments[0]) {
                        case "subject" -> search("", arguments[1], arguments[2]);
                        case "action" -> search(arguments[1], "", arguments[2]);
                        default -> search(arguments[1], arguments[2], "");
                    };
                    List<String> expected = sides[1].isEmpty() ? List.of() : List.of(sides[1].split(" ", -1));
                    assertThat(AuthZenDecider.ids(decider.ok("/access/v1/search/" + arguments[0], body)))
                            .isEqualTo(expected);
                }));
    }

    private static String search(String user, String action, String record) {
        return "{\"subject\":{\"type\":\"user\"" + (user.isEmpty() ? "" : ",\"id\":\"" + user + "\"") + "}"
                + (action.isEmpty() ? "" : ",\"action\":{\"name\":\"" + action + "\"}")
                + ",\"resource\":{\"type\":\"record\"" + (record.isEmpty() ? "" : ",\"id\":\"" + record + "\"") + "}}";
    }
}
