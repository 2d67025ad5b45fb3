package io.plat.cli;

import io.plat.cli.question.Subject;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say about whom. */
public final class SubjectOptions {
    @Option(names = "--as", paramLabel = "USER", description = "ask about this user instead of yourself")
    public @Nullable String user;

    @Option(
            names = "--as-group",
            paramLabel = "GROUP",
            description = "a group of that user, repeatable; those that every such user has are added")
    public List<String> groups = new ArrayList<>();

    @Option(names = "--exact-groups", description = "add no group to those given")
    public boolean exactGroups;

    /** The subject that was named; empty means the asker. */
    public Optional<UserInfo> subject() {
        if (user == null) {
            if (!groups.isEmpty()) {
                throw CommandException.usage("--as-group: goes with --as");
            }
            if (exactGroups) {
                throw CommandException.usage("--exact-groups: goes with --as");
            }
            return Optional.empty();
        }
        if (user.isEmpty() && groups.isEmpty()) {
            throw CommandException.usage("--as: expected a user name, found \"\"");
        }
        return Optional.of(Subject.of(user, groups, exactGroups));
    }
}
