package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.type.StorageIdentity;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The versions and kinds that stored bytes name. An object is stored without kind and apiVersion, so that the versions in which it was
 * written stand in {@code managedFields} only. A role object or a CertificateSigningRequest with a {@code generation} was written by a
 * custom type, as these types keep none and take none from clients.
 */
final class StoredVersions {
    private static final JsonFactory FACTORY = JsonFactories.create();

    private static final byte[] OPENING = StoredForm.OPENING.getBytes(StandardCharsets.US_ASCII);

    private StoredVersions() {}

    /** Whether a type serves all of them. What is not in the stored form, or not JSON, is served by no type. */
    static boolean served(StorageIdentity type, byte[] stored) {
        int length = OPENING.length;
        if (stored.length <= length || !Arrays.equals(OPENING, 0, length, stored, 0, length)) {
            return false;
        }
        try (JsonParser json = FACTORY.createParser(stored)) {
            boolean served = true;
            json.nextToken();
            while (served && json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                served = switch (field) {
                    case "metadata" -> metadata(type, json);
                    case "apiVersion" -> type.stores(json.getText(), "");
                    case "kind" -> type.stores("", json.getText());
                    default -> {
                        json.skipChildren();
                        yield true;
                    }
                };
            }
            return served;
        } catch (IOException notJson) {
            return false;
        }
    }

    private static boolean metadata(StorageIdentity type, JsonParser json) throws IOException {
        boolean served = true;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            if (field.equals(Ownership.FIELD) && json.currentToken() == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    served &= owner(type, json);
                }
            } else {
                served &= !field.equals("generation") || !type.guarded();
                json.skipChildren();
            }
        }
        return served;
    }

    private static boolean owner(StorageIdentity type, JsonParser json) throws IOException {
        boolean served = true;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean version = json.currentName().equals("apiVersion");
            json.nextToken();
            served &= !version || type.mayBeWrittenIn(json.getText());
            json.skipChildren();
        }
        return served;
    }
}
