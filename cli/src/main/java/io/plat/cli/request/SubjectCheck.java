package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Detection of misspelled users. There is no list of users; policy files name those with grants, and a server has service accounts as objects. */
public final class SubjectCheck {
    private static final int MAX_GROUPS = 5;
    private static final int MAX_EDITS = 2;

    /** The number or letter by which the names of a series differ, such as {@code team-a}. */
    private static final Pattern SERIES = Pattern.compile("[0-9]+$|.$");

    private SubjectCheck() {}

    /** Returns the unknown users and groups, one message each. */
    public static List<String> unknown(DecisionSource source, UserInfo user, List<String> groups) {
        SubjectName name = SubjectName.user(user.name());
        if (user.name().startsWith(UserInfo.SERVICE_ACCOUNT_USER) && name.kind() != SubjectName.Kind.SERVICE_ACCOUNT) {
            return List.of(Quoted.of(user.name()) + " is not the user name of a service account; expected "
                    + UserInfo.SERVICE_ACCOUNT_USER + "NAMESPACE:NAME");
        }
        return switch (source) {
            case PolicyFileSource files -> inFiles(files.explainer().names().subjects(), name, groups);
            case ServerSource server ->
                name.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                                && ServedNames.lacksServiceAccount(server.connection(), name.namespace(), name.name())
                        ? List.of("there is no service account " + Quoted.of(name.name()) + " in the namespace "
                                + Quoted.of(name.namespace()))
                        : List.of();
        };
    }

    /** Returns that a subject is unknown, in a list; none if it is known, or if whether it is known cannot be determined. */
    public static List<String> unknown(DecisionSource source, SubjectName subject, List<String> groups) {
        return switch (subject.kind()) {
            case EVERYBODY -> List.of();
            case GROUP ->
                source instanceof PolicyFileSource files && !subject.name().startsWith("system:")
                        ? inFiles(files.explainer().names().subjects(), subject, List.of(subject.name()))
                        : List.of();
            case USER, SERVICE_ACCOUNT ->
                unknown(source, Subjects.user(Subjects.userName(subject), groups, false), groups);
        };
    }

    /** Returns that the namespace of a request is similar to one in the policy files, in a list. */
    public static List<String> misspelledNamespace(DecisionSource source, AccessAttributes access) {
        if (!(source instanceof PolicyFileSource files) || !(access instanceof ResourceAttributes requested)) {
            return List.of();
        }
        String name = requested.namespace();
        Set<String> known = files.explainer().names().namespaces();
        return known.contains(name) || name.isEmpty()
                ? List.of()
                : NearestName.within(MAX_EDITS, name, known)
                        .filter(similar -> !SERIES.matcher(similar)
                                .replaceFirst("")
                                .equals(SERIES.matcher(name).replaceFirst("")))
                        .map(similar -> "the policy does not mention the namespace " + Quoted.of(name)
                                + ", did you mean " + Quoted.of(similar) + "?")
                        .stream()
                        .toList();
    }

    /**
     * Returns possible explanations of a denial, one line each: an unknown name, and omitted groups. The groups of a user are known only to its
     * authenticator.
     */
    public static List<String> explainDenial(
            DecisionSource source, UserInfo user, List<String> groups, AccessAttributes access) {
        List<String> lines = new ArrayList<>(unknown(source, user, groups));
        lines.addAll(misspelledNamespace(source, access));
        boolean known = lines.isEmpty() && source instanceof PolicyFileSource;
        boolean misspelled = lines.stream().anyMatch(line -> line.endsWith("?"));
        boolean isPerson = !user.name().startsWith("system:");
        if (isPerson && !known && !misspelled && groups.isEmpty()) {
            List<String> others = groups(source, access);
            if (!others.isEmpty()) {
                lines.add("checked without groups; each of these would allow it (--as-group): "
                        + String.join(", ", others));
            }
        }
        return lines;
    }

    /** Returns a hint that a user was checked without groups, in a list; none for system users. */
    public static List<String> withoutGroups(UserInfo user, List<String> groups) {
        return groups.isEmpty() && !user.name().startsWith("system:")
                ? List.of("checked " + Quoted.of(user.name()) + " without groups; give them with --as-group")
                : List.of();
    }

    /** Returns the groups with the access; none if they cannot be requested. */
    private static List<String> groups(DecisionSource source, AccessAttributes access) {
        AccessReview review = new AccessReview(ReviewKind.SUBJECT_LISTING, DecisionSource.REVIEW_VERSION, null, access);
        List<ListedSubject> subjects;
        try {
            subjects = source.subjects(review).value().subjects().items();
        } catch (CommandException refusal) {
            return List.of();
        }
        return subjects.stream()
                .map(ListedSubject::subject)
                .filter(subject -> subject.kind() == SubjectName.Kind.GROUP)
                .map(subject -> Quoted.name(subject.name()))
                .filter(group -> !group.startsWith("system:"))
                .limit(MAX_GROUPS)
                .toList();
    }

    private static List<String> inFiles(Set<SubjectName> subjects, SubjectName user, List<String> groups) {
        if (user.name().isEmpty() || subjects.stream().anyMatch(known -> isKnown(known, user, groups))) {
            return List.of();
        }
        Set<String> names = subjects.stream()
                .filter(known -> known.kind() == user.kind())
                .map(SubjectName::name)
                .collect(Collectors.toSet());
        boolean group = user.kind() == SubjectName.Kind.GROUP;
        return List.of("the policy does not mention "
                + Quoted.of(group ? Subjects.label(user) : Subjects.userName(user))
                + (groups.isEmpty() || group ? "" : " or any of the groups")
                + NearestName.suggestion(user.name(), names));
    }

    private static boolean isKnown(SubjectName known, SubjectName user, List<String> groups) {
        return switch (known.kind()) {
            case EVERYBODY -> false;
            case GROUP -> groups.contains(known.name());
            case USER, SERVICE_ACCOUNT ->
                known.kind() == user.kind()
                        && known.name().equals(user.name())
                        && known.namespace().equals(user.namespace());
        };
    }
}
