package io.plat.apiserver.resource;

/** The rules of what the server itself writes into an object: it is right as it is made. */
enum PartRules implements TypeRules {
    AS_MADE;

    @Override
    public boolean ofPart() {
        return true;
    }
}
