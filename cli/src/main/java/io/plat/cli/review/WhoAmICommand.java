package io.plat.cli;

import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.review.NoReviewException;
import io.plat.cli.review.SelfReview;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import io.plat.engine.webhook.OneLine;
import io.plat.review.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
    private static final int GAP = 3;

    @ParentCommand
    private @Nullable Plat plat;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Override
    public Integer call() {
        Plat program = Plat.of(plat);
        HttpsConnection server = program.connect(connection);
        Answer answer = server.post(SelfReview.PATH, SelfReview.question(), "application/json");
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        UserInfo user;
        try {
            user = SelfReview.read(answer.body());
        } catch (NoReviewException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
        if (program.format() == OutputFormat.TEXT) {
            printTable(program.report(), user);
        } else {
            program.report().printDocument(answer.body(), program.format());
        }
        return ExitStatus.YES;
    }

    private static void printTable(Report report, UserInfo user) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("ATTRIBUTE", "VALUE");
        rows.put("Username", OneLine.of(user.name()));
        if (!user.uid().isEmpty()) {
            rows.put("UID", OneLine.of(user.uid()));
        }
        if (!user.groups().isEmpty()) {
            rows.put("Groups", list(user.groups()));
        }
        new TreeMap<>(user.extra()).forEach((key, values) -> rows.put("Extra: " + OneLine.of(key), list(values)));
        int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0) + GAP;
        rows.forEach((name, value) -> report.print(name + " ".repeat(width - name.length()) + value));
    }

    private static String list(List<String> values) {
        return values.stream().map(OneLine::of).collect(Collectors.joining(" ", "[", "]"));
    }
}
