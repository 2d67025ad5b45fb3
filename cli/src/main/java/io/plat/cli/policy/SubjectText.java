package io.plat.cli.policy;

import io.plat.engine.rbac.RbacSubject;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;

/** Subjects as text, and as subjects of bindings. */
public final class SubjectText {
    private SubjectText() {}

    /** Returns the subject of bindings for a user name, which may be that of a service account. */
    public static RbacSubject bound(String user) {
        SubjectName who = SubjectName.user(user);
        return who.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? RbacSubject.serviceAccount(who.namespace(), who.name())
                : RbacSubject.user(user);
    }

    /** Returns the subject as one line of text. */
    public static String of(SubjectName who) {
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            return "everybody";
        }
        String name = who.namespace().isEmpty() ? who.name() : who.namespace() + "/" + who.name();
        String within = who.inGroup().isEmpty() ? "" : " in Group " + who.inGroup();
        return Quoted.oneLine(who.kind().word() + " " + name + within);
    }
}
