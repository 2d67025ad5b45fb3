package io.plat.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code plat whoami}: the user and the groups that the server sees. */
@Command(
        name = "whoami",
        mixinStandardHelpOptions = true,
        description = "Shows the user and the groups that the server sees in you.",
        footer = {"", "Example:", "  plat whoami --kubeconfig alice.conf"})
final class WhoAmICommand implements Callable<Integer> {
    private static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final byte[] QUESTION =
            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final JsonFactory JSON = new JsonFactory();

    @ParentCommand
    private @Nullable Plat plat;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Override
    public Integer call() {
        Plat program = Plat.of(plat);
        HttpsConnection server = program.serverChoice(connection).connect();
        Answer answer = server.post(PATH, QUESTION, "application/json");
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        if (program.format() == OutputFormat.TEXT) {
            printTable(program.report(), server, answer);
        } else {
            program.report().printDocument(answer.body(), program.format());
        }
        return ExitStatus.YES;
    }

    private static void printTable(Report report, HttpsConnection server, Answer answer) {
        List<Row> rows;
        try {
            rows = rows(answer.body());
        } catch (IOException e) {
            throw CommandException.couldNotTell(
                    server.server() + " answered with something else than a SelfSubjectReview: " + e.getMessage());
        }
        int width =
                rows.stream().mapToInt(row -> row.attribute().length()).max().orElse(0) + 3;
        report.print(line("ATTRIBUTE", "VALUE", Math.max(width, "ATTRIBUTE".length() + 3)));
        rows.forEach(row ->
                report.print(line(row.attribute(), row.value(), Math.max(width, "ATTRIBUTE".length() + 3))));
    }

    private static String line(String attribute, String value, int width) {
        return attribute + " ".repeat(width - attribute.length()) + value;
    }

    private record Row(String attribute, String value) {}

    /** The rows of {@code status.userInfo}, in the order of the answer. */
    private static List<Row> rows(byte[] body) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (JsonParser json = JSON.createParser(body)) {
            require(json.nextToken() == JsonToken.START_OBJECT, "no object");
            require(enter(json, "status") && enter(json, "userInfo"), "no status.userInfo");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "username" -> rows.add(new Row("Username", json.getText()));
                    case "uid" -> rows.add(new Row("UID", json.getText()));
                    case "groups" -> rows.add(new Row("Groups", strings(json)));
                    case "extra" -> extra(json, rows);
                    default -> json.skipChildren();
                }
            }
        }
        return rows;
    }

    /** Moves on to the object that a field holds. */
    private static boolean enter(JsonParser json, String field) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = json.currentName().equals(field);
            JsonToken value = json.nextToken();
            if (wanted) {
                return value == JsonToken.START_OBJECT;
            }
            json.skipChildren();
        }
        return false;
    }

    private static void extra(JsonParser json, List<Row> rows) throws IOException {
        require(json.currentToken() == JsonToken.START_OBJECT, "extra is no object");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String key = json.currentName();
            json.nextToken();
            rows.add(new Row("Extra: " + key, strings(json)));
        }
    }

    private static String strings(JsonParser json) throws IOException {
        require(json.currentToken() == JsonToken.START_ARRAY, "no list");
        List<String> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(json.getText());
        }
        return "[" + String.join(" ", values) + "]";
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }
}
