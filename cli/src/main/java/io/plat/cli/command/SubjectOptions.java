package io.plat.cli.command;

import io.plat.cli.process.CommandException;
import io.plat.cli.request.Subjects;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for the subject. */
public final class SubjectOptions {
    @Option(names = "--as", paramLabel = "USER")
    public @Nullable String user;

    @Option(names = "--as-group", paramLabel = "GROUP")
    public List<String> groups = new ArrayList<>();

    @Option(names = "--exact-groups")
    public boolean exactGroups;

    /** Returns the given subject; empty for the caller. */
    public Optional<UserInfo> subject() {
        if (user == null) {
            if (!groups.isEmpty()) {
                throw CommandException.usage("--as-group: requires --as");
            }
            if (exactGroups) {
                throw CommandException.usage("--exact-groups: requires --as");
            }
            return Optional.empty();
        }
        if (user.isEmpty() && groups.isEmpty()) {
            throw CommandException.usage("--as: expected a user name, found \"\"");
        }
        return Optional.of(Subjects.user(user, groups, exactGroups));
    }

    /**
     * Throws if no subject is given and there is no caller.
     *
     * @param offline whether policy files are used
     */
    public void require(boolean offline) {
        if (offline && subject().isEmpty()) {
            throw CommandException.usage("--as: required with policy files, as there is no logged-in user");
        }
    }
}
