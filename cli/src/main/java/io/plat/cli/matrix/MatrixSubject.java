package io.plat.cli.matrix;

import io.plat.cli.question.Subject;
import io.plat.cli.question.SubjectLabel;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.List;

/**
 * A row: a subject, with the groups that every request of it has. A subject with a group is assumed to be authenticated.
 *
 * @param label as it is typed and printed: {@code alice}, {@code group:developers}, a service account's user name, {@code *}
 * @param asked the user of decisions
 */
record MatrixSubject(SubjectName name, String label, UserInfo asked) {
    static MatrixSubject of(SubjectName name) {
        return new MatrixSubject(name, SubjectLabel.of(name), SubjectUsers.of(name));
    }

    /**
     * Parses a label. That of a user includes its groups.
     *
     * @param groups additional groups of a user
     * @throws io.plat.cli.process.CommandException if it is invalid
     */
    static MatrixSubject parse(String typed, List<String> groups) {
        SubjectName subject = SubjectLabel.parse("--subject", typed);
        if (subject.kind() == SubjectName.Kind.GROUP || subject.equals(SubjectName.EVERYBODY) || groups.isEmpty()) {
            return of(subject);
        }
        String label = SubjectLabel.of(subject) + " (groups: " + String.join(", ", groups) + ")";
        return new MatrixSubject(subject, label, Subject.of(SubjectLabel.user(subject), groups, false));
    }
}
