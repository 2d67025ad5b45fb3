package io.plat.engine.matrix;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.MatrixReview;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.BitSet;
import java.util.Collection;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Cells that are decided one by one, as long as no decision has to be waited for. */
final class DecidedCells implements Cells {
    private final Authorizer authorizer;
    private final SortedSet<SubjectName> subjects;
    private final AccessAttributes[] questions;

    DecidedCells(AccessAttributes[] questions, Authorizer authorizer, SortedSet<SubjectName> subjects) {
        this.authorizer = authorizer;
        this.subjects = subjects;
        this.questions = questions;
    }

    /** What is asked, at the bits of a row. */
    static AccessAttributes[] questions(MatrixReview asked) {
        int verbs = asked.verbs().size();
        AccessAttributes[] questions = new AccessAttributes[asked.columns().size() * verbs];
        for (int i = 0; i < questions.length; i++) {
            questions[i] = asked.asking(i / verbs, i % verbs);
        }
        return questions;
    }

    @Override
    public Collection<SubjectName> subjects() {
        return subjects;
    }

    @Override
    public @Nullable BitSet row(SubjectName subject) throws NoMatrixException {
        UserInfo user = AskedAs.of(subject);
        BitSet allowed = new BitSet(questions.length);
        for (int i = 0; i < questions.length; i++) {
            Decision decision = authorizer.decideFromMemory(new Attributes(user, questions[i]));
            if (decision == null) {
                return null;
            }
            if (decision instanceof Decision.Undecided undecided) {
                throw new NoMatrixException(undecided);
            }
            allowed.set(i, decision instanceof Decision.Allow);
        }
        return allowed;
    }
}
