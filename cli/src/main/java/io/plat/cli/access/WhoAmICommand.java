package io.plat.cli.access;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.Report;
import io.plat.cli.output.Report.Table;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plat whoami}: the user and the groups that the server sees. */
@Command(name = "whoami", mixinStandardHelpOptions = true)
public final class WhoAmICommand extends PlatCommand {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Override
    public int run(Program plat) {
        DecodedResponse<UserInfo> user = plat.connect(connection).currentUser(Map.of());
        plat.print(report -> print(report, user.value()), user::json);
        return ExitStatus.YES;
    }

    private static void print(Report report, UserInfo user) {
        Table rows = new Table("ATTRIBUTE", "VALUE");
        rows.row("Username", Quoted.name(user.name()));
        if (!user.uid().isEmpty()) {
            rows.row("UID", Quoted.name(user.uid()));
        }
        if (!user.groups().isEmpty()) {
            rows.row("Groups", Report.list(user.groups()));
        }
        new TreeMap<>(user.extra())
                .forEach((key, values) -> rows.row("Extra: " + Quoted.name(key), Report.list(values)));
        report.print(rows);
    }
}
