package io.plat.decider;

import io.plat.http.process.TrainingRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Training run of the decider during the build, so that the JVM starts faster, with the templates in {@code training}; see {@link TrainingRun}. */
public final class DeciderTraining {
    private static final int BINDINGS = 300;
    private static final int REVIEWS = 500;

    private DeciderTraining() {}

    /** Runs it. Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (TrainingRun training = new TrainingRun()) {
            Path roles = Files.createDirectory(training.file("roles"));
            Path lines = training.file("policy.jsonl");
            Files.writeString(roles.resolve("roles.yaml"), filled("role.yaml", "", 0));
            Files.writeString(
                    roles.resolve("roles.json"),
                    "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + filled("role.json", ",", BINDINGS) + "]}");
            Files.writeString(lines, filled("line.jsonl", "", 0));
            training.request("GET", "/readyz", "");
            training.request("GET", "/metrics", "");
            String review = template("review.json").strip();
            for (int i = 0; i < REVIEWS; i++) {
                training.request("POST", "/authorize", review.formatted(i % (2 * BINDINGS + 10)));
            }
            training.run(
                    new DeciderProgram("training"),
                    List.of(
                            "--authorization-mode=ABAC,RBAC",
                            "--authorization-policy-file=" + lines,
                            "--authorization-rbac-path=" + roles));
        }
    }

    /** Returns a template with each number of {@link #BINDINGS} successive ones. */
    private static String filled(String name, String separator, int first) throws IOException {
        String template = template(name);
        return IntStream.range(first, first + BINDINGS)
                .mapToObj(template::formatted)
                .collect(Collectors.joining(separator));
    }

    private static String template(String name) throws IOException {
        try (InputStream in = DeciderTraining.class.getResourceAsStream("training/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
