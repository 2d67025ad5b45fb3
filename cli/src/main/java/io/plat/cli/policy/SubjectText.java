package io.plat.cli.policy;

import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;

/** Subjects in words. */
public final class SubjectText {
    private SubjectText() {}

    /** Returns the subject in words, on one line. */
    public static String of(SubjectName who) {
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            return "everybody";
        }
        String name = who.namespace().isEmpty() ? who.name() : who.namespace() + "/" + who.name();
        String within = who.inGroup().isEmpty() ? "" : " in Group " + who.inGroup();
        return Quoted.oneLine(who.kind().word() + " " + name + within);
    }
}
