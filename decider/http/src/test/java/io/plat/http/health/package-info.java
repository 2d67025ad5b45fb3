@NullMarked
package io.plat.http.health;

import org.jspecify.annotations.NullMarked;
