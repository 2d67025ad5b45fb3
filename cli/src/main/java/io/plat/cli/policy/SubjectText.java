package io.plat.cli.policy;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;

/** Subjects in words, and as members of a document. */
public final class SubjectText {
    private SubjectText() {}

    /** The subject in words, on one line. */
    public static String of(SubjectName who) {
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            return "everybody";
        }
        String name = who.namespace().isEmpty() ? who.name() : who.namespace() + "/" + who.name();
        String within = who.inGroup().isEmpty() ? "" : " in Group " + who.inGroup();
        return Quoted.oneLine(who.kind().word() + " " + name + within);
    }

    /** Writes the subject as an object, by the names of a SubjectListing. */
    public static void write(SubjectName who, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", who.kind().word());
        json.writeStringField("name", JsonText.wellFormed(who.name()));
        if (!who.namespace().isEmpty()) {
            json.writeStringField("namespace", JsonText.wellFormed(who.namespace()));
        }
        if (!who.inGroup().isEmpty()) {
            json.writeStringField("inGroup", JsonText.wellFormed(who.inGroup()));
        }
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            json.writeBooleanField("everybody", true);
        }
        json.writeEndObject();
    }
}
