package io.plat.apiserver.objects;

/** The rules of what the server itself writes into an object: it is right as it is made. */
public enum PartRules implements TypeRules {
    AS_MADE;

    @Override
    public boolean ofPart() {
        return true;
    }
}
