package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;

/** Typed and printed form of subjects: {@code alice}, {@code group:developers}, a service account's user name, {@code *}. */
public final class SubjectLabel {
    private static final String GROUP = "group:";
    private static final String USER = "user:";

    private SubjectLabel() {}

    public static String of(SubjectName name) {
        return switch (name.kind()) {
            case EVERYBODY -> "*";
            case GROUP -> GROUP + name.name();
            case USER, SERVICE_ACCOUNT -> {
                String user = user(name);
                boolean ambiguous = user.startsWith(GROUP) || user.startsWith(USER) || user.equals("*");
                String label = (ambiguous ? USER : "") + user;
                yield name.inGroup().isEmpty() ? label : label + " in " + GROUP + name.inGroup();
            }
        };
    }

    /** Returns the user name of a user or service account; the name of another subject. */
    public static String user(SubjectName name) {
        return name.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? UserInfo.serviceAccountUser(name.namespace(), name.name())
                : name.name();
    }

    /**
     * Parses a label.
     *
     * @param flag the flag, for messages
     * @throws CommandException if it is invalid
     */
    public static SubjectName parse(String flag, String typed) {
        if (typed.equals("*")) {
            return SubjectName.EVERYBODY;
        }
        boolean group = typed.startsWith(GROUP);
        String name = group
                ? typed.substring(GROUP.length())
                : typed.startsWith(USER) ? typed.substring(USER.length()) : typed;
        if (name.isEmpty()) {
            throw CommandException.usage(flag + ": expected a user or group:NAME, found " + Quoted.of(typed));
        }
        return group ? SubjectName.group(name) : SubjectName.user(name);
    }
}
