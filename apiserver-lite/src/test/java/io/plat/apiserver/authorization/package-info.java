@NullMarked
package io.plat.apiserver.authorization;

import org.jspecify.annotations.NullMarked;
