@NullMarked
package io.plat.authorization;

import org.jspecify.annotations.NullMarked;
