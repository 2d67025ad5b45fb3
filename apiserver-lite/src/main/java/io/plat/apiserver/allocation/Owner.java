package io.plat.apiserver.allocation;

import io.plat.apiserver.storage.Key;
import java.nio.charset.StandardCharsets;

/** Owner of an allocated item. It need not exist yet; an object created later under the same name is another owner. */
public record Owner(Key key, String uid) implements Comparable<Owner> {
    @Override
    public int compareTo(Owner other) {
        int order = key.compareTo(other.key);
        return order == 0 ? uid.compareTo(other.uid) : order;
    }

    byte[] bytes() {
        return (key.path() + " " + uid).getBytes(StandardCharsets.UTF_8);
    }

    static Owner of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int space = text.lastIndexOf(' ');
        return new Owner(Key.parse(text.substring(0, space)), text.substring(space + 1));
    }
}
